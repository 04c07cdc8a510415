import { createHash } from 'node:crypto'
import { c, query, type Row } from '../platform/database/index.ts'
import { empty, operation } from '../platform/http/index.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'

const findBlocks = query(
  'instance/domain_blocks',
  {},
  { domain: c.text, severity: c.text, public_comment: c.text, obfuscate: c.boolean },
)
const findMoved = query('instance/is_moved', { account: c.id }, { id: c.id })

/** Replaces the middle half of a domain, except dots, by asterisks. */
export function obfuscate(domain: string): string {
  const shown = Math.floor(domain.length / 4)
  const isHidden = (at: number): boolean => shown < at && at < domain.length - shown
  return Array.from(domain)
    .map((letter, at) => (isHidden(at) && letter !== '.' ? '*' : letter))
    .join('')
}

/** A moderated domain, as the server publishes it (entity DomainBlock). */
export interface PublishedBlock {
  readonly domain: string
  readonly digest: string
  readonly severity: string
  readonly comment: string | null
}

function toEntity(row: Row<typeof findBlocks.columns>, withComment: boolean): PublishedBlock {
  return {
    domain: row.obfuscate ? obfuscate(row.domain) : row.domain,
    digest: createHash('sha256').update(row.domain).digest('hex'),
    severity: row.severity,
    comment: withComment && row.public_comment !== '' ? row.public_comment : null,
  }
}

/**
 * Whether the caller is a user of this server. Moved accounts count here, though they may do
 * nothing else.
 */
async function isUser({ database }: Services, viewer: Viewer | null): Promise<boolean> {
  if (viewer?.state !== 'disabled') return viewer?.state === 'functional'
  return (await database.one(findMoved, { account: viewer.id })) !== undefined
}

/**
 * The moderated domains that the caller may know; undefined when the server does not publish them
 * to the caller.
 */
export async function publishedBlocks(
  services: Services,
  viewer: Viewer | null,
): Promise<PublishedBlock[] | undefined> {
  const { settings, database } = services
  const [list, reasons] = [settings.get('show_domain_blocks'), settings.get('show_domain_blocks_rationale')]
  const user = (list === 'users' || reasons === 'users') && (await isUser(services, viewer))
  if (list === 'disabled' || (list === 'users' && !user)) return undefined
  const rows = await database.run(findBlocks, {})
  return rows.map(row => toEntity(row, reasons === 'all' || (reasons === 'users' && user)))
}

const showDomainBlocks = operation({
  method: 'GET',
  path: '/api/v1/instance/domain_blocks',
  auth: 'optional',
  scopes: [],
  params: {},
  returns: '[DomainBlock]',
  summary: 'List the domains that this server moderates, if it publishes them',
  // Cacheable for everybody only if neither the list nor its reasons are restricted to users.
  cache: settings =>
    settings.get('show_domain_blocks') === 'all' && settings.get('show_domain_blocks_rationale') !== 'users'
      ? 'instance'
      : 'public',
  cacheTags: () => [],
  allowWhenClosed: 'unlessLimitedFederation',
  handle: async (_, context) => (await publishedBlocks(context, context.viewer)) ?? empty(404),
})

export const domainBlocks = [showDomainBlocks]
