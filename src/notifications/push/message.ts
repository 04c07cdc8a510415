import type { Id } from '../../core/id.ts'
import { TYPES_WITH_STATUS } from '../index.ts'
import { chooseLanguage, translatorFor } from '../../platform/i18n/index.ts'
import { countCodePoints, cutCodePoints, htmlToText } from '../../core/text/index.ts'

/** The data of a message. */
export interface MessageFacts {
  /** The notification's id. */
  readonly id: Id
  readonly type: string
  /** The recipient's locale. */
  readonly locale: string | null
  /** The originator's username. */
  readonly username: string
  readonly display_name: string
  readonly note_html: string
  /** The status's content warning, if there is a status. */
  readonly spoiler_text: string | null
  readonly content: string | null
}

/** The entity WebPushPayload. */
export interface PushMessage {
  readonly access_token: string
  readonly preferred_locale: string
  readonly notification_id: number
  readonly notification_type: string
  readonly icon: string
  readonly title: string
  readonly body: string
}

const MAX_CHARACTERS = 140
const OMISSION = '...'

/**
 * At most 140 characters, so that a message stays far below the 4,096 bytes that push services
 * accept.
 */
const shorten = (text: string): string =>
  countCodePoints(text) <= MAX_CHARACTERS ? text : `${cutCodePoints(text, MAX_CHARACTERS - OMISSION.length)}${OMISSION}`

/** The text of the status or its content warning; without a status, the originator. */
function bodyOf({ type, spoiler_text: warning, content, note_html: bio }: MessageFacts): string {
  if (content === null || !TYPES_WITH_STATUS.has(type)) return htmlToText(bio)
  return warning === null || warning === '' ? htmlToText(content) : warning
}

/** The title, in the first language with texts. */
function titleOf(type: string, name: string, ...locales: readonly string[]): string {
  const translator = translatorFor(chooseLanguage(...locales))
  const key = `push.${type}`
  return translator.has(key) ? translator.t(key, { name }) : name
}

/**
 * The push message of a notification.
 * @param accessToken the token that the subscription belongs to
 * @param icon URL of the originator's static avatar
 * @param defaultLocale for recipients without a locale
 */
export function makeMessage(
  facts: MessageFacts,
  accessToken: string,
  icon: string,
  defaultLocale: string,
): PushMessage {
  const locale = facts.locale ?? defaultLocale
  const name = facts.display_name.trim() === '' ? facts.username : facts.display_name.trim()
  return {
    access_token: accessToken,
    preferred_locale: locale,
    notification_id: Number(facts.id),
    notification_type: facts.type,
    icon,
    title: titleOf(facts.type, shorten(name), locale, defaultLocale),
    body: shorten(bodyOf(facts)),
  }
}
