import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { Json } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { type AttachmentRow, toAttachment } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'
import { paramsText, sentParams } from './params.ts'

const list = query(
  'statuses/scheduled/list',
  {
    account: c.id,
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    only: c.nullable(c.id),
    limit: c.integer,
  },
  {
    id: c.id,
    scheduled_at: c.timestamp,
    application_id: c.nullable(c.id),
    params: sentParams,
    media: c.nullable(c.json<AttachmentRow[]>()),
  },
)

/** Selects scheduled statuses of an account. */
export interface ScheduleFilter {
  readonly max_id?: Id | undefined
  readonly since_id?: Id | undefined
  readonly min_id?: Id | undefined
  readonly only?: Id
  readonly limit: number
}

/** The entities ScheduledStatus of an account, newest first. */
export async function renderSchedules(
  { database, storage, config }: Services,
  account: Id,
  { max_id, since_id, min_id, only, limit }: ScheduleFilter,
): Promise<{ id: Id; entity: Json }[]> {
  const rows = await database.run(list, {
    account,
    max_id: max_id ?? null,
    since_id: since_id ?? null,
    min_id: min_id ?? null,
    only: only ?? null,
    limit,
  })
  return rows.map(row => {
    const media = (row.media ?? []).map(one => toAttachment(one, key => storage.url(key), config.publicUrl))
    const head = JSON.stringify({ id: row.id, scheduled_at: row.scheduled_at }).slice(0, -1)
    const params = paramsText(row.params, row.application_id)
    return { id: row.id, entity: new Json(`${head},"params":${params},"media_attachments":${JSON.stringify(media)}}`) }
  })
}

/**
 * One of them.
 * @throws ApiError when the account has none with this id
 */
export async function respondWithScheduled(services: Services, account: Id, id: Id): Promise<Json> {
  const [found] = await renderSchedules(services, account, { only: id, limit: 1 })
  if (!found) throw new ApiError('notFound')
  return found.entity
}
