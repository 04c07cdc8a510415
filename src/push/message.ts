import type { Id } from '../id.ts'
import { TYPES_WITH_STATUS } from '../notifications/index.ts'
import { countCodePoints, cutCodePoints, htmlToText } from '../text/index.ts'

/** What a message is made of. */
export interface MessageFacts {
  /** Of the notification. */
  readonly id: Id
  readonly type: string
  /** Of the person who is told. */
  readonly locale: string | null
  /** Of the originator. */
  readonly username: string
  readonly display_name: string
  readonly note_html: string
  /** Of the status that it is about, if there is one. */
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

/** In English, which is the only language so far; where the originator's name goes, if it does. */
const TITLES: Readonly<Record<string, (name: string) => string>> = {
  mention: name => `You were mentioned by ${name}`,
  status: name => `${name} just posted`,
  reblog: name => `${name} boosted your post`,
  follow: name => `${name} is now following you`,
  follow_request: name => `Pending follower: ${name}`,
  favourite: name => `${name} favorited your post`,
  poll: name => `A poll by ${name} has ended`,
  update: name => `${name} edited a post`,
  severed_relationships: () => 'You have lost connections due to a moderation decision',
  moderation_warning: () => 'You have received a moderation warning',
  annual_report: () => 'Your year in review is ready',
  'admin.sign_up': name => `${name} signed up`,
  'admin.report': name => `${name} submitted a report`,
  quote: name => `${name} quoted your post`,
  quoted_update: name => `${name} edited a post you have quoted`,
  added_to_collection: name => `${name} added you to a collection`,
  collection_update: name => `${name} edited a collection that you are in`,
}

const MOST_CHARACTERS = 140
const OMISSION = '...'

/** At most 140 characters, so that a message stays far below the 4,096 bytes that push services take. */
const shorten = (text: string): string =>
  countCodePoints(text) <= MOST_CHARACTERS
    ? text
    : `${cutCodePoints(text, MOST_CHARACTERS - OMISSION.length)}${OMISSION}`

/** What was said: the warning in place of what it warns of; without a status who it was that did something. */
function bodyOf({ type, spoiler_text: warning, content, note_html: bio }: MessageFacts): string {
  if (content === null || !TYPES_WITH_STATUS.has(type)) return htmlToText(bio)
  return warning === null || warning === '' ? htmlToText(content) : warning
}

/**
 * What a person is told of a notification.
 * @param accessToken the token that the subscription belongs to
 * @param icon URL of the originator's static avatar
 * @param defaultLocale of those who have chosen none
 */
export function makeMessage(
  facts: MessageFacts,
  accessToken: string,
  icon: string,
  defaultLocale: string,
): PushMessage {
  const name = facts.display_name.trim() === '' ? facts.username : facts.display_name.trim()
  return {
    access_token: accessToken,
    preferred_locale: facts.locale ?? defaultLocale,
    notification_id: Number(facts.id),
    notification_type: facts.type,
    icon,
    title: TITLES[facts.type]?.(shorten(name)) ?? shorten(name),
    body: shorten(bodyOf(facts)),
  }
}
