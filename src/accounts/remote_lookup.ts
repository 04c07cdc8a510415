import type { Id } from '../core/id.ts'
import { OutgoingFailure } from '../platform/http_client/index.ts'
import { perServer, type Services } from '../platform/services.ts'
import { parseHandle } from './handle.ts'

/** An account or status with a URL on another server. */
interface FoundByUrl {
  readonly kind: 'account' | 'status'
  readonly id: Id
}

/**
 * Fetches accounts and statuses from other servers and stores them. Undefined when an object does
 * not exist or its server does not respond.
 */
export interface RemoteLookup {
  /** @throws OutgoingFailure when its server does not respond */
  findHandle(username: string, domain: string): Promise<Id | undefined>
  /** Fetches what has this URL. */
  fetchUrl(url: string): Promise<FoundByUrl | undefined>
  /** As `fetchUrl`, or what is stored here although its server does not show it or respond. */
  findUrl(url: string): Promise<FoundByUrl | undefined>
  /** Updates a stored status from its server; removes it when it was deleted there. */
  refreshStatus(status: Id): Promise<void>
  /** Updates a stored account from its server. */
  refreshAccount(account: Id): Promise<void>
  /**
   * Starts to fetch the replies to a stored status. Returns the headers that announce it to the
   * client, or undefined when nothing is fetched.
   */
  refreshReplies(status: Id): Promise<Record<string, string> | undefined>
}

/**
 * The implementation is in `federation`, which imports this district, so it is registered at
 * start-up.
 */
const place = perServer<{ lookup?: RemoteLookup }>(() => ({}))

export function useRemoteLookup(services: Services, lookup: RemoteLookup): void {
  place(services).lookup = lookup
}

/** The result of looking up a handle; `silent` when the other server did not respond. */
export interface HandleResult {
  readonly id: Id | undefined
  readonly silent: boolean
}

/** Asks another server for the account with the handle `user@domain`. */
export async function askForHandle(services: Services, text: string): Promise<HandleResult> {
  const handle = parseHandle(text, services.config)
  if (!handle || handle.domain === null) return { id: undefined, silent: false }
  try {
    return { id: await place(services).lookup?.findHandle(handle.username, handle.domain), silent: false }
  } catch (error) {
    if (error instanceof OutgoingFailure) return { id: undefined, silent: true }
    throw error
  }
}

/** The account with the handle `user@domain` on another server, if that server responds. */
export const findRemoteHandle = async (services: Services, text: string): Promise<Id | undefined> =>
  (await askForHandle(services, text)).id

/** The account or status with a URL on another server. */
export const findRemoteUrl = async (services: Services, url: string) => place(services).lookup?.findUrl(url)

/** The account or status that is fetched from this URL now. */
export const fetchRemoteUrl = async (services: Services, url: string) => place(services).lookup?.fetchUrl(url)

/** Updates a stored status from its server. */
export const refreshRemoteStatus = async (services: Services, status: Id): Promise<void> =>
  place(services).lookup?.refreshStatus(status)

/** Updates a stored account from its server. */
export const refreshRemoteAccount = async (services: Services, account: Id): Promise<void> =>
  place(services).lookup?.refreshAccount(account)

/**
 * Starts to fetch the replies to a stored status from its server.
 * @returns headers that announce it to the client
 */
export const refreshRemoteReplies = async (
  services: Services,
  status: Id,
): Promise<Record<string, string> | undefined> => place(services).lookup?.refreshReplies(status)
