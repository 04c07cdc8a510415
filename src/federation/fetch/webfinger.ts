import { Parser } from 'htmlparser2'
import { follow, OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf, isDocumentType, isObject, listOf, parseObject, textOf } from '../protocol/index.ts'
import { waitingBudget } from './waiting_budget.ts'
import { isOfReachableHost, isOnion, isReachableHost } from './reach.ts'

/** A server's answer about a handle. */
export interface Finger {
  readonly username: string
  readonly domain: string
  /** The id of the actor. */
  readonly self: string
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 1_048_576, redirects: 3 }

/** Where a domain is asked for what is not of ActivityPub. */
export const originOf = (services: Services, domain: string): string => {
  const isPlain = services.config.publicUrl.startsWith('http:') || isOnion(domain)
  return `${isPlain ? 'http' : 'https'}://${domain}`
}

function get(services: Services, url: string, accept: string) {
  const isAllowed = (one: string): Promise<boolean> => isOfReachableHost(services, one)
  const request = { headers: { accept }, isAllowed, ...LIMITS }
  return waitingBudget(services).ask(url, () => follow(services.outgoing, url, request))
}

/** The template for look-ups that a server's host-meta names (RFC 6415). */
async function templateOf(services: Services, domain: string): Promise<string | undefined> {
  const answer = await get(services, `${originOf(services, domain)}/.well-known/host-meta`, 'application/xrd+xml')
  if (answer.status !== 200) return undefined
  let template: string | undefined
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name.toLowerCase() === 'link' && attributes['rel'] === 'lrdd') template ??= attributes['template']
      },
    },
    { xmlMode: true },
  )
  parser.end(answer.body.toString())
  return template !== undefined && template.includes('{uri}') ? template : undefined
}

function parseFinger(text: string): Finger | undefined {
  const document = parseObject(text)
  const [, username, domain] = /^acct:([^@]+)@([^@/\s]+)$/.exec(textOf(document?.['subject']) ?? '') ?? []
  const self = listOf(document?.['links']).find(
    link => isObject(link) && link['rel'] === 'self' && isDocumentType(textOf(link['type']) ?? ''),
  )
  const href = isObject(self) ? textOf(self['href']) : undefined
  const host = domain === undefined ? undefined : hostOf(`https://${domain}`)
  return username === undefined || host === undefined || href === undefined
    ? undefined
    : { username, domain: host, self: href }
}

/**
 * Asks a server for one of its handles.
 * @returns undefined for a handle that it does not know, `gone` for one that is gone for good
 * @throws OutgoingFailure
 */
export async function finger(
  services: Services,
  username: string,
  domain: string,
): Promise<Finger | 'gone' | undefined> {
  if (!(await isReachableHost(services, domain))) return undefined
  const resource = encodeURIComponent(`acct:${username}@${domain}`)
  const accept = 'application/jrd+json, application/json'
  const url = `${originOf(services, domain)}/.well-known/webfinger?resource=${resource}`
  let answer = await get(services, url, accept)
  if (answer.status === 404) {
    const template = await templateOf(services, domain)
    const other = template?.replace('{uri}', resource)
    if (other === undefined || other === url || !URL.canParse(other)) return undefined
    answer = await get(services, other, accept)
  }
  if (answer.status === 410) return 'gone'
  if (answer.status >= 500) throw new OutgoingFailure('unreachable', `${domain} answered ${answer.status}`)
  return answer.status === 200 && answer.complete ? parseFinger(answer.body.toString()) : undefined
}
