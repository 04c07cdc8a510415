import { c, query } from '../../platform/database/index.ts'
import type { LoggedEvent } from '../../platform/events/index.ts'
import { timeOfId, type Id } from '../../core/id.ts'
import { runAtOnce, runInTimeSlices, type Steps } from '../../core/time_slices.ts'
import type { CompiledFilters } from '../../statuses/filters/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  factsOf,
  renderPublicStatus,
  searchText,
  statusFragments,
  type StatusFacts,
  type StatusFragment,
} from '../../statuses/index.ts'
import type { Channel, Delivery, Frame, OpenChannels, Route } from '../../platform/streaming/index.ts'
import type { Reader } from './reader.ts'
import { admitPublic, type PublicRules } from './rules.ts'

const findVisible = query('timelines/streams/visible', { status: c.id }, { id: c.id })

/** The family of the public streams; its channels are named by the streams. */
export const PUBLIC = 'public'
/** The families of the hashtag streams; their channels are named by the tags' identities. */
export const HASHTAG = 'hashtag'
export const HASHTAG_LOCAL = 'hashtag:local'

/** Older statuses of other servers are not streamed. */
const MAX_REMOTE_AGE_MS = 6 * 60 * 60 * 1000
/**
 * A status this young is visible to all; the author of an older one may have been suspended since.
 */
const FRESH_MS = 10_000

const UNFILTERED = ',"filtered":[]}'

/** The public streams that a status belongs to. */
function publicNames(facts: Pick<StatusFacts, 'local' | 'has_media'>): string[] {
  const origin = facts.local ? 'public:local' : 'public:remote'
  return facts.has_media ? ['public', origin, 'public:media', `${origin}:media`] : ['public', origin]
}

function isReplyToOther(event: LoggedEvent, facts: StatusFacts): boolean {
  const isReply =
    facts.in_reply_to_id !== null || facts.in_reply_to_account_id !== null || facts.parent_unknown === true
  return isReply && facts.in_reply_to_account_id !== event.actor_id
}

/** The facts before an event by which a status may enter timelines that refused it. */
const factsBefore = (event: LoggedEvent): StatusFacts | undefined =>
  event.kind === 'status.updated' && event.data.reason === 'reached'
    ? { ...event.data, ...event.data.previous }
    : undefined

/** The open channels that the event concerns. */
function concerned(event: LoggedEvent, facts: StatusFacts, channels: OpenChannels<Reader>): Channel<Reader>[] {
  const found: Channel<Reader>[] = []
  const add = (family: string, name: string): void => {
    const channel = channels.get(family, name)
    if (channel) found.push(channel)
  }
  const before = factsBefore(event)
  // Streams of hashtags have replies, and so had this one.
  if (before && !isReplyToOther(event, before)) return found
  if (channels.has(PUBLIC) && (event.kind === 'status.deleted' || !isReplyToOther(event, facts))) {
    for (const name of publicNames(facts)) add(PUBLIC, name)
  }
  if (before) return found
  if (channels.has(HASHTAG)) for (const tag of facts.tags) add(HASHTAG, tag)
  if (facts.local && channels.has(HASHTAG_LOCAL)) for (const tag of facts.tags) add(HASHTAG_LOCAL, tag)
  return found
}

/**
 * Public and hashtag streams: a status is rendered once, anonymously, and filtered for each reader.
 */
export function publicRoute(services: Services): Route<Reader> {
  return (event, channels): readonly Delivery<Reader>[] => {
    const facts = factsOf(event)
    const { status_id: status, actor_id: author } = event
    if (!facts || status === null || author === null || facts.visibility !== 'public') return []
    if (facts.reblog_of_id !== null) return []
    const isDeletion = event.kind === 'status.deleted'
    if (!isDeletion && (facts.silenced || isOld(status, facts))) return []
    const found = concerned(event, facts, channels)
    if (found.length === 0) return []
    const frame = isDeletion
      ? { event: 'delete', payload: status }
      : render(services, messageOf(event), status, author, facts)
    return found.map(channel => ({ channel, frame }))
  }
}

const messageOf = (event: LoggedEvent): string =>
  event.kind === 'status.created' || factsBefore(event) ? 'update' : 'status.update'

const isOld = (status: Id, facts: StatusFacts): boolean =>
  !facts.local && Date.now() - timeOfId(status) > MAX_REMOTE_AGE_MS

async function render(
  services: Services,
  event: string,
  status: Id,
  author: Id,
  facts: StatusFacts,
): Promise<Frame<Reader> | undefined> {
  if (Date.now() - timeOfId(status) > FRESH_MS && !(await services.database.one(findVisible, { status }))) {
    return undefined
  }
  const [rendered, fragment] = await Promise.all([
    renderPublicStatus(services, status),
    statusFragments(services).one(status),
  ])
  if (!rendered || !fragment) return undefined
  return { event, payload: rendered.text.slice(0, -1), end: UNFILTERED, ...endsOf(author, facts, fragment) }
}

/** The end of a status's payload: for each reader the results of their filters, or none. */
function endsOf(author: Id, facts: StatusFacts, fragment: StatusFragment): Pick<Frame<Reader>, 'prepare' | 'endFor'> {
  const text = (): string => searchText(fragment)
  const admits = (rules: PublicRules): boolean => admitPublic(author, facts, rules, Date.now())
  /** By the readers' filters; undefined while these are being matched. */
  const results = new Map<CompiledFilters, string | undefined>()

  function* match(all: readonly CompiledFilters[]): Steps<undefined> {
    for (const filters of all) {
      results.set(filters, yield* filters.match(text, null))
      yield
    }
    return undefined
  }

  return {
    prepare(readers) {
      const unmatched: CompiledFilters[] = []
      for (const { rules } of readers) {
        const filters = rules?.person.filters
        if (!filters || filters.isEmpty || results.has(filters) || !admits(rules)) continue
        results.set(filters, undefined)
        unmatched.push(filters)
      }
      return unmatched.length === 0 ? undefined : runInTimeSlices(match(unmatched))
    },
    endFor({ rules }) {
      if (!rules || !admits(rules)) return undefined
      const { filters } = rules.person
      if (filters.isEmpty) return UNFILTERED
      const filtered = results.get(filters) ?? runAtOnce(filters.match(text, null))
      return filtered === '[]' ? UNFILTERED : `,"filtered":${filtered}}`
    },
  }
}
