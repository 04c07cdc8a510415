import type { Translator } from '../../platform/i18n/index.ts'

/** Created once per language: creating one takes longer than the rest of a page. */
function perLanguage<T>(make: (language: string) => T): (translator: Translator) => T {
  const made = new Map<string, T>()
  return ({ language }) => {
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
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
const languages = perLanguage(language => new Intl.DisplayNames(language, { type: 'language' }))

export const formatNumber = (translator: Translator, value: number | string): string =>
  numbers(translator).format(Number(value))
export const formatPercent = (translator: Translator, rate: number): string => percents(translator).format(rate)
/** A change with its sign. */
export const formatChange = (translator: Translator, rate: number): string => changes(translator).format(rate)
/** A day without its year, in UTC. */
export const formatDay = (translator: Translator, date: string): string => shortDays(translator).format(new Date(date))
export const formatMonth = (translator: Translator, date: string): string => months(translator).format(new Date(date))

/** The name of a language in the reader's; the code itself when it is unknown. */
export function languageIn(translator: Translator, code: string): string {
  try {
    return languages(translator).of(code) ?? code
  } catch {
    return code
  }
}
