import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { eventCache, type EventCache } from '../../platform/cache/event_cache.ts'
import { perServer, type Services } from '../../platform/services.ts'
import type { Keyword } from './keyword_matcher.ts'
import { compileFilters, type CompiledFilters, type FilterRow } from './match.ts'

const loadFilters = query(
  'statuses/filters/compiled',
  { accounts: c.ids },
  {
    id: c.id,
    account_id: c.id,
    title: c.text,
    contexts: c.texts,
    action: c.text,
    expires_at: c.nullable(c.timestamp),
    keywords: c.json<Keyword[]>(),
    status_ids: c.ids,
  },
  { pipelined: true },
)

/**
 * The compiled filters by account id, also for accounts without filters. Cached until
 * `filters.changed`.
 */
export const viewerFilters: (services: Services) => EventCache<CompiledFilters> = perServer(services =>
  eventCache<CompiledFilters>(services, {
    name: 'filters',
    async load(ids) {
      const rows = new Map<Id, FilterRow[]>(ids.map(id => [id, []]))
      for (const row of await services.database.run(loadFilters, { accounts: ids })) rows.get(row.account_id)?.push(row)
      return new Map(await Promise.all([...rows].map(async ([id, own]) => [id, await compileFilters(own)] as const)))
    },
    drops: { 'filters.changed': event => [event.account_id] },
  }),
)
