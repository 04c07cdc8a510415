import type { Id } from '../../core/id.ts'
import { cutCodePoints } from '../../core/text/index.ts'
import { addReport } from '../../moderation/reports/index.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, listOf, parseLocalUri, sameHost, textOf, isStorableUri, type JsonObject } from '../protocol/index.ts'
import { receivingTransaction, type Author, type IncomingActivity } from './incoming_activity.ts'
import { findAccountsByUri } from './find_by_uri.ts'

const REPORTED = {
  id: c.id,
  account_id: c.id,
  answers_local: c.boolean,
  reportable: c.boolean,
  visible: c.boolean,
} as const
const findStatuses = query(
  'federation/receive/reported_statuses',
  { uris: c.texts, local_ids: c.ids, domain: c.text, origin: c.text },
  REPORTED,
)
const findCollections = query(
  'federation/receive/reported_collections',
  { uris: c.texts, local_ids: c.ids },
  { id: c.id, account_id: c.id, reportable: c.boolean },
)
const hasReported = query(
  'federation/receive/has_reported',
  { reporter: c.id, target: c.id, uri: c.text },
  { reported: c.boolean },
)
const setReportUri = query('federation/receive/set_report_uri', { report: c.id, uri: c.text }, {})

const MAX_COMMENT = 5000
/** The maximum number of objects read from one report. */
const MAX_OBJECTS = 200
const MAX_TARGETS = 10

type Reported = Row<typeof REPORTED>

/** What is reported of each account. */
interface Subjects {
  readonly statuses: readonly Reported[]
  readonly collections: readonly Row<typeof findCollections.columns>[]
}

async function findSubjects(
  { database, config }: Services,
  { domain, uri }: Author,
  uris: readonly string[],
): Promise<Subjects> {
  const things = uris.map(uri => parseLocalUri(uri, config.publicUrl))
  const localIds = things.flatMap(thing => (thing?.kind === 'status' ? thing.status : []))
  const collectionIds = things.flatMap(thing => (thing?.kind === 'collection' ? thing.collection : []))
  const others = uris.filter((uri, at) => things[at] === undefined && isStorableUri(uri))
  const [statuses, collections] = await Promise.all([
    database.run(findStatuses, { uris: others, local_ids: localIds, domain, origin: `${new URL(uri).origin}/` }),
    database.run(findCollections, { uris: others, local_ids: collectionIds }),
  ])
  return { statuses, collections }
}

/**
 * The local authors of what is reported, for a report that names no account, as those of Mbin,
 * PeerTube and Lemmy. A status that
 * the server may not see says nothing about its author.
 */
const authorsOf = ({ statuses, collections }: Subjects): Id[] =>
  [...statuses.filter(({ visible }) => visible), ...collections]
    .filter(({ reportable }) => reportable)
    .map(({ account_id: author }) => author)

/** The reason, which Lemmy sends as a summary. */
const commentOf = (activity: JsonObject): string =>
  [activity['content'], activity['summary']].map(textOf).find(text => text !== undefined && text !== '') ?? ''

/**
 * Flag: a report of local accounts, or of other accounts whose statuses reply to local ones, with
 * statuses and collections of theirs. The reporter is usually the other server's instance actor,
 * because servers hide who reported. Statuses that the server may not see are left out. Its comment
 * is plain text, as Mastodon and others send it.
 */
export async function receiveFlag(services: Services, { activity, author, actorUri }: IncomingActivity): Promise<void> {
  const uri = idOf(activity)
  if (author.rejects_reports || uri === undefined || !isStorableUri(uri) || !sameHost(uri, actorUri)) return
  const objects = [...new Set(listOf(activity['object']).flatMap(one => idOf(one) ?? []))].slice(0, MAX_OBJECTS)
  const subjects = await findSubjects(services, author, objects)
  const accounts = [...(await findAccountsByUri(services, objects)).values()].filter(
    ({ id, isLocal }) => isLocal || subjects.statuses.some(status => status.account_id === id && status.answers_local),
  )
  const comment = cutCodePoints(commentOf(activity), MAX_COMMENT)
  const targets = accounts.length > 0 ? accounts.map(({ id }) => id) : [...new Set(authorsOf(subjects))]
  for (const target of targets.slice(0, MAX_TARGETS))
    await report(services, { reporter: author.id, target, uri, comment }, subjects)
}

async function report(
  services: Services,
  { reporter, target, uri, comment }: { reporter: Id; target: Id; uri: string; comment: string },
  { statuses, collections }: Subjects,
): Promise<void> {
  const ofTarget = (subjects: readonly { id: Id; account_id: Id }[]): Id[] =>
    subjects.filter(subject => subject.account_id === target).map(({ id }) => id)
  await receivingTransaction(services, async transaction => {
    if ((await transaction.one(hasReported, { reporter, target, uri }))?.reported) return
    const made = await transaction.one(addReport, {
      reporter,
      target,
      application: null,
      category: 'other',
      comment,
      statuses: ofTarget(statuses.filter(status => status.visible)),
      collections: ofTarget(collections),
      rules: null,
      forwarded: null,
      forwarded_to: [],
    })
    if (!made) return
    await transaction.run(setReportUri, { report: made.id, uri })
  })
}
