import { html, type Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

/** Created once per language: creating one takes longer than the rest of a page. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf({ language }: Translator, kind: 'time' | 'day'): Intl.DateTimeFormat {
  const key = `${language} ${kind}`
  const known = formats.get(key)
  if (known) return known
  const how = kind === 'day' ? ({ dateStyle: 'long' } as const) : ({ dateStyle: 'medium', timeStyle: 'short' } as const)
  const made = new Intl.DateTimeFormat(language, { ...how, timeZone: 'UTC' })
  formats.set(key, made)
  return made
}

/** A time for readers, in UTC. */
export const time = (at: string, speaker: Translator): Html =>
  html`<time datetime="${at}">${formatOf(speaker, 'time').format(new Date(at))} UTC</time>`

/** A date for readers, in UTC. */
export const day = (at: string, speaker: Translator): Html =>
  html`<time datetime="${at}">${formatOf(speaker, 'day').format(new Date(at))}</time>`
