import { follow } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { parseObject, type JsonObject } from '../protocol/index.ts'
import { waitingBudget } from './waiting_budget.ts'
import { mayRequest } from './federation_policy.ts'

const LIMITS = { timeoutMs: 10_000, maxBytes: 128 * 1024, redirects: 0 }

/**
 * Fetches a JSON-LD context that a document of another server names; undefined without a usable
 * one.
 * @throws OutgoingFailure
 */
export async function fetchContext(services: Services, url: string): Promise<JsonObject | undefined> {
  if (!(await mayRequest(services, url))) return undefined
  const headers = { accept: 'application/ld+json, application/json' }
  const response = await waitingBudget(services).run(url, () => follow(services.outgoing, url, { headers, ...LIMITS }))
  const { status, complete, body } = response
  return status === 200 && complete ? parseObject(body.toString()) : undefined
}
