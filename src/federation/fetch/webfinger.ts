import { parseMarkup } from '../../core/text/markup.ts'
import { follow, OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { isDocumentType, isObject, listOf, parseAcct, parseObject, textOf } from '../protocol/index.ts'
import { waitingBudget } from './waiting_budget.ts'
import { federatesWithHostOf, isOnion, federatesWith } from './federation_policy.ts'
import { parseUrl } from '../../core/parse_url.ts'

/** A server's WebFinger answer for a handle. */
export interface WebFingerResult {
  readonly username: string
  readonly domain: string
  /** The URI of the actor. */
  readonly self: string
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 1_048_576, redirects: 3 }

/** The origin of a domain's server, for requests that start from its name. */
export const serverOrigin = (services: Services, domain: string): string => {
  const isPlain = services.config.publicUrl.startsWith('http:') || isOnion(domain)
  return `${isPlain ? 'http' : 'https'}://${domain}`
}

function get(services: Services, url: string, accept: string) {
  const isAllowed = (target: string): Promise<boolean> => federatesWithHostOf(services, target)
  const request = { headers: { accept }, isAllowed, ...LIMITS }
  return waitingBudget(services).run(url, () => follow(services.outgoing, url, request))
}

/** Fetches the URL template for WebFinger from a server's host-meta (RFC 6415). */
async function fetchTemplate(services: Services, domain: string): Promise<string | undefined> {
  const response = await get(services, `${serverOrigin(services, domain)}/.well-known/host-meta`, 'application/xrd+xml')
  if (response.status !== 200) return undefined
  let template: string | undefined
  parseMarkup(
    response.body.toString(),
    {
      onopentag(name, attributes) {
        if (name.toLowerCase() === 'link' && attributes['rel'] === 'lrdd') template ??= attributes['template']
      },
    },
    { xmlMode: true },
  )
  return template !== undefined && template.includes('{uri}') ? template : undefined
}

function parseWebFinger(text: string): WebFingerResult | undefined {
  const document = parseObject(text)
  const handle = parseAcct(textOf(document?.['subject']) ?? '')
  const self = listOf(document?.['links']).find(
    link => isObject(link) && link['rel'] === 'self' && isDocumentType(textOf(link['type']) ?? ''),
  )
  const href = isObject(self) ? textOf(self['href']) : undefined
  return handle && href !== undefined ? { ...handle, self: href } : undefined
}

/**
 * Asks the server of a handle for it by WebFinger.
 * @returns undefined when the server does not know the handle, `gone` after a 410
 * @throws OutgoingFailure
 */
export async function queryWebFinger(
  services: Services,
  username: string,
  domain: string,
): Promise<WebFingerResult | 'gone' | undefined> {
  if (!(await federatesWith(services, domain))) return undefined
  const resource = encodeURIComponent(`acct:${username}@${domain}`)
  const accept = 'application/jrd+json, application/json'
  const url = `${serverOrigin(services, domain)}/.well-known/webfinger?resource=${resource}`
  let response = await get(services, url, accept)
  if (response.status === 404) {
    const template = await fetchTemplate(services, domain)
    const templateUrl = template?.replace('{uri}', resource)
    if (templateUrl === undefined || templateUrl === url || !parseUrl(templateUrl)) return undefined
    response = await get(services, templateUrl, accept)
  }
  if (response.status === 410) return 'gone'
  if (response.status >= 500) throw new OutgoingFailure('unreachable', `${domain} answered ${response.status}`)
  return response.status === 200 && response.complete ? parseWebFinger(response.body.toString()) : undefined
}
