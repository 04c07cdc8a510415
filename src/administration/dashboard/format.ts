import { LRUCache } from 'lru-cache'
import { languageName, type Translator } from '../../platform/i18n/index.ts'

/** Plots and tables format each day of a month ten times, at 10 µs each. */
const MAX_CACHED_DAYS = 200

/** Caches a formatter per language: creating one takes longer than rendering the rest of a page. */
function perLanguage<T>(make: (language: string) => T): (translator: Translator) => T {
  const formatters = new Map<string, T>()
  return ({ language }) => {
    const formatter = formatters.get(language) ?? make(language)
    formatters.set(language, formatter)
    return formatter
  }
}

const numbers = perLanguage(language => new Intl.NumberFormat(language))
const percents = perLanguage(language => new Intl.NumberFormat(language, { style: 'percent' }))
const changes = perLanguage(
  language =>
    new Intl.NumberFormat(language, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 }),
)
const shortDays = perLanguage(
  language => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
const months = perLanguage(
  language => new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' }),
)

export const formatNumber = (translator: Translator, value: number | string): string =>
  numbers(translator).format(Number(value))
export const formatPercent = (translator: Translator, rate: number): string => percents(translator).format(rate)
/** A relative change as a percentage with its sign. */
export const formatChange = (translator: Translator, rate: number): string => changes(translator).format(rate)

const dayNames = new LRUCache<string, string>({ max: MAX_CACHED_DAYS })

/** A day in UTC, without the year. */
export function formatDay(translator: Translator, date: string): string {
  const day = date.slice(0, 'YYYY-MM-DD'.length)
  const key = `${translator.language} ${day}`
  let name = dayNames.get(key)
  if (name === undefined) dayNames.set(key, (name = shortDays(translator).format(new Date(day))))
  return name
}

export const formatMonth = (translator: Translator, date: string): string => months(translator).format(new Date(date))

export const formatLanguage = ({ language }: Translator, code: string): string => languageName(code, language)
