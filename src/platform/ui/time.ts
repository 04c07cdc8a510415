import { html, type Html } from '../../core/html.ts'
import type { Translator } from '../i18n/index.ts'

const TIME = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const
const DAY = { dateStyle: 'long', timeZone: 'UTC' } as const

/** Created once per language and zone: creating one takes longer than the rest of a page. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: string, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${language} ${zone?.toLowerCase() ?? ''}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(language, zone === undefined ? DAY : { ...TIME, timeZone: zone })
  formats.set(key, format)
  return format
}

const element = (at: Date | string, text: string): Html =>
  html`<time datetime="${typeof at === 'string' ? at : at.toISOString()}">${text}</time>`

/** As `time`, within a text. */
export const timeText = (at: Date | string, { language, timeZone = 'UTC' }: Translator): string =>
  formatOf(language, timeZone).format(new Date(at))

/** A time for readers, in their time zone, which is named. */
export const time = (at: Date | string, translator: Translator): Html => element(at, timeText(at, translator))

/** A date for readers, in UTC. */
export const day = (at: Date | string, { language }: Translator): Html =>
  element(at, formatOf(language, undefined).format(new Date(at)))
