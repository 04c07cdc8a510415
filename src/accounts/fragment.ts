import { concat, Json, type Chunk } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import { shortcodesIn } from '../core/text/index.ts'
import { emojiKey, renderEmoji, type EmojiRow } from './emoji.ts'
import { acctOf } from '../core/acct.ts'
import { INVALID_DOMAIN } from './handle.ts'
import {
  approvalFor,
  featurePolicyOf,
  NO_FOLLOWS,
  NOBODY,
  type FeatureApproval,
  type FeaturePolicy,
} from './feature_approval.ts'
import type { StoredField, StoredImage } from './profile.ts'

/** The row of `accounts/fragments`. */
export interface AccountRow {
  id: Id
  username: string
  domain: string | null
  display_name: string
  note: string
  note_html: string
  fields: StoredField[]
  avatar: StoredImage | null
  avatar_description: string
  header: StoredImage | null
  header_description: string
  actor_type: string
  locked: boolean
  discoverable: boolean | null
  indexable: boolean
  hide_collections: boolean | null
  show_media: boolean
  show_media_replies: boolean
  show_featured: boolean
  feature_automatic: string[] | null
  feature_manual: string[] | null
  /** Another account of its server has taken over the handle. */
  handle_invalid: boolean
  uri: string
  url: string | null
  moved_to_account_id: Id | null
  pending: boolean
  memorial: boolean
  suspended: boolean
  silenced: boolean
  being_deleted: boolean
  created_at: Date
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: string | null
  /** In microseconds since 1970; '0' without a status. */
  last_status_us: string
  noindex: boolean | null
  email_subscriptions: boolean
  role_id: Id | null
  role_name: string | null
  role_color: string | null
}

/**
 * The viewer-independent data of an account: facts, and the entity as JSON for most viewers, which
 * is changed for the others.
 */
export interface AccountFragment {
  readonly id: Id
  readonly username: string
  /** Null for local accounts. */
  readonly domain: string | null
  readonly acct: string
  /** The URL of the profile page. */
  readonly url: string
  /**
   * The user is not confirmed or not approved: visible to moderators and the account itself only.
   */
  readonly pending: boolean
  /** Marked for deletion: visible to nobody. */
  readonly beingDeleted: boolean
  /** Suspended or marked for deletion: shown without its texts. */
  readonly suspended: boolean
  readonly silenced: boolean
  readonly locked: boolean
  /** Visitors can subscribe to its posts by e-mail. */
  readonly emailSubscriptions: boolean
  /** Who may put it into a collection; null when its server publishes no policy. */
  readonly featurePolicy: FeaturePolicy | null
  readonly hideCollections: boolean
  readonly displayName: string
  readonly movedTo: Id | null
  /** The time of the status that the counts include last, in microseconds since 1970. */
  readonly lastStatusUs: number
  /** The entity without `moved`, for a signed-in user who neither follows nor is followed. */
  readonly entity: Buffer
  /** Their `feature_approval.current_user`, and where its value begins. */
  readonly approval: FeatureApproval
  readonly approvalAt: number
  /** Where `moved` belongs. */
  readonly movedAt: number
  readonly made: MadeEntities
}

/** Entities that were made of a fragment, so that equal responses share one object. */
interface MadeEntities {
  byApproval?: Partial<Record<FeatureApproval, Json>>
  partial?: Json
}

/** Base URLs and defaults for the entity. */
export interface FragmentOptions {
  publicUrl: string
  /** The default of `noindex`. */
  noindex: boolean
  /** Whether this server offers e-mail subscriptions. */
  emailSubscriptions: boolean
  mediaUrl: (key: string) => string
}

const BOTS = new Set(['Application', 'Service'])

/** The shortcodes in an account's texts. */
export const shortcodesOf = (row: AccountRow): string[] =>
  shortcodesIn(
    [
      row.display_name,
      row.domain === null ? row.note : row.note_html,
      ...row.fields.flatMap(field => [field.name, field.value]),
    ].join('\n'),
  )

const shownAcct = (row: AccountRow): string =>
  row.domain !== null && row.handle_invalid ? `${row.id}@${INVALID_DOMAIN}` : acctOf(row)

const urlOf = (row: AccountRow, { publicUrl }: FragmentOptions): string =>
  row.domain === null ? `${publicUrl}/@${row.username}` : (row.url ?? row.uri)

const uriOf = (row: AccountRow, { publicUrl }: FragmentOptions): string =>
  row.domain === null ? `${publicUrl}/ap/users/${row.id}` : row.uri

function imageUrls(
  kind: 'avatar' | 'header',
  image: StoredImage | null,
  options: FragmentOptions,
): Record<string, string> {
  const missing = `${options.publicUrl}/${kind}s/original/missing.png`
  return {
    [kind]: image ? options.mediaUrl(image.key) : missing,
    [`${kind}_static`]: image ? options.mediaUrl(image.static_key) : missing,
  }
}

/** `verified_at` is the only timestamp that ends in +00:00. */
export const renderVerifiedAt = (verifiedAt: string | null): string | null =>
  verifiedAt === null ? null : new Date(verifiedAt).toISOString().replace('Z', '+00:00')

/** Who may put an account into a collection; a suspended one nobody. */
function shownFeaturePolicy(row: AccountRow): FeaturePolicy | null {
  const policy = featurePolicyOf(row)
  return policy && (row.suspended || row.being_deleted) ? NOBODY : policy
}

/** The members up to feature_approval, without the closing brace. */
function renderHead(row: AccountRow, options: FragmentOptions): string {
  const blank = row.suspended || row.being_deleted
  const members = {
    id: row.id,
    username: row.username,
    acct: shownAcct(row),
    display_name: blank ? '' : row.display_name,
    locked: !blank && row.locked,
    bot: !blank && BOTS.has(row.actor_type),
    discoverable: blank ? false : row.discoverable,
    indexable: !blank && row.indexable,
    group: row.actor_type === 'Group',
    created_at: `${row.created_at.toISOString().slice(0, 10)}T00:00:00.000Z`,
    note: blank ? '' : row.note_html,
    url: urlOf(row, options),
    uri: uriOf(row, options),
    ...imageUrls('avatar', blank ? null : row.avatar, options),
    avatar_description: blank ? '' : row.avatar_description,
    ...imageUrls('header', blank ? null : row.header, options),
    header_description: blank ? '' : row.header_description,
    followers_count: row.followers_count,
    following_count: row.following_count,
    statuses_count: row.statuses_count,
    last_status_at: row.last_status_at,
    hide_collections: row.hide_collections,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
  }
  const { automatic, manual } = shownFeaturePolicy(row) ?? NOBODY
  const groups = `"automatic":${JSON.stringify(automatic)},"manual":${JSON.stringify(manual)}`
  return `${JSON.stringify(members).slice(0, -1)},"feature_approval":{${groups},"current_user":`
}

function renderMiddle(row: AccountRow, emojis: ReadonlyMap<string, EmojiRow>, options: FragmentOptions): string {
  const blank = row.suspended || row.being_deleted
  const used = blank ? [] : shortcodesOf(row).flatMap(code => emojis.get(emojiKey(code, row.domain)) ?? [])
  const members: Record<string, unknown> = {
    emojis: used.map(emoji => renderEmoji(emoji, options.mediaUrl)),
    fields: blank
      ? []
      : row.fields.map(({ name, value_html, verified_at }) => ({
          name,
          value: value_html,
          verified_at: renderVerifiedAt(verified_at),
        })),
  }
  if (row.domain === null) {
    const shown = !blank && row.role_id !== null
    members['roles'] = shown ? [{ id: row.role_id, name: row.role_name, color: row.role_color }] : []
    members['noindex'] = row.noindex ?? options.noindex
  }
  return `},${JSON.stringify(members).slice(1, -1)}`
}

function renderTail(row: AccountRow, { emailSubscriptions }: FragmentOptions): string {
  const suspended = row.suspended || row.being_deleted ? ',"suspended":true' : ''
  const limited = row.silenced ? ',"limited":true' : ''
  const memorial = row.memorial ? ',"memorial":true' : ''
  const invalid = row.domain !== null && row.handle_invalid ? ',"invalid_handle":true' : ''
  const offered = emailSubscriptions ? `,"email_subscriptions":${row.email_subscriptions}` : ''
  return `${suspended}${limited}${memorial}${invalid}${offered}}`
}

/** A signed-in user who neither follows an account nor is followed. */
const STRANGER = { id: '' }

/** Renders a row once for all viewers. `emojis` contains the emojis in its texts, by `emojiKey`. */
export function makeFragment(
  row: AccountRow,
  emojis: ReadonlyMap<string, EmojiRow>,
  options: FragmentOptions,
): AccountFragment {
  const blank = row.suspended || row.being_deleted
  const featurePolicy = shownFeaturePolicy(row)
  const approval = approvalFor({ id: row.id, featurePolicy }, STRANGER, NO_FOLLOWS)
  const head = Buffer.from(renderHead(row, options))
  const middle = Buffer.from(`"${approval}"${renderMiddle(row, emojis, options)}`)
  return {
    id: row.id,
    username: row.username,
    domain: row.domain,
    acct: shownAcct(row),
    url: urlOf(row, options),
    pending: row.pending,
    beingDeleted: row.being_deleted,
    suspended: blank,
    silenced: row.silenced,
    locked: row.locked,
    emailSubscriptions: options.emailSubscriptions && row.email_subscriptions,
    featurePolicy,
    hideCollections: row.hide_collections === true,
    displayName: blank ? '' : row.display_name,
    lastStatusUs: Number(row.last_status_us),
    movedTo: row.moved_to_account_id,
    entity: concat([head, middle, renderTail(row, options)]),
    approval,
    approvalAt: head.length,
    movedAt: head.length + middle.length,
    made: {},
  }
}

const COUNTS = '"statuses_count":'
const AFTER_COUNTS = ',"hide_collections":'

/**
 * The fragment after a status of the account, with its number of statuses then; the same fragment
 * when that is included already. Each status of an account is later than the one before it
 * (sql/functions/post_status.sql), so events may arrive in any order.
 */
export function withNewStatus(fragment: AccountFragment, statuses: number, lastStatusUs: number): AccountFragment {
  if (lastStatusUs <= fragment.lastStatusUs) return fragment
  const { entity, approvalAt, movedAt } = fragment
  const from = entity.indexOf(COUNTS)
  const to = entity.indexOf(AFTER_COUNTS, from)
  const day = new Date(lastStatusUs / 1000).toISOString().slice(0, 10)
  const counts = Buffer.from(`${COUNTS}${statuses},"last_status_at":"${day}"`)
  const added = counts.length - (to - from)
  return {
    ...fragment,
    lastStatusUs,
    entity: concat([entity.subarray(0, from), counts, entity.subarray(to)]),
    approvalAt: approvalAt + added,
    movedAt: movedAt + added,
    made: {},
  }
}

/**
 * The complete entity. `moved` is the entity of the account that it moved to, null if that is
 * suspended; undefined if it has not moved.
 */
export function fillFragment(fragment: AccountFragment, approval: FeatureApproval, moved?: Json | null): Json {
  if (moved !== undefined) return new Json(piecesOf(fragment, approval, [',"moved":', ...(moved?.pieces ?? ['null'])]))
  return ((fragment.made.byApproval ??= {})[approval] ??= new Json(piecesOf(fragment, approval, [])))
}

/** @param added what comes at the place of `moved` */
function piecesOf(fragment: AccountFragment, approval: FeatureApproval, added: readonly Chunk[]): Chunk[] {
  const { entity, approval: own, approvalAt, movedAt } = fragment
  if (approval === own && added.length === 0) return [entity]
  const afterApproval = approvalAt + `"${own}"`.length
  return [
    entity.subarray(0, approvalAt),
    `"${approval}"`,
    entity.subarray(afterApproval, movedAt),
    ...added,
    entity.subarray(movedAt),
  ]
}

/** The entity PartialAccountWithAvatar, whose members the complete one has, too. */
export const partialEntity = (fragment: AccountFragment): Json => (fragment.made.partial ??= makePartial(fragment))

function makePartial({ entity }: AccountFragment): Json {
  const whole: unknown = JSON.parse(entity.toString())
  return new Json(JSON.stringify(whole, PARTIAL_MEMBERS))
}

const PARTIAL_MEMBERS = ['id', 'acct', 'url', 'avatar', 'avatar_static', 'avatar_description', 'locked', 'bot']
