import type { Id } from '../core/id.ts'
import { OutgoingFailure } from '../platform/http_client/index.ts'
import { perServer, type Services } from '../platform/services.ts'
import { parseHandle } from './handle.ts'

/**
 * Finds on other servers what is not stored here, and stores it. Undefined when there is nothing,
 * or no answer.
 */
export interface RemoteLookup {
  /** @throws OutgoingFailure when its server gives no answer */
  findHandle(username: string, domain: string): Promise<Id | undefined>
  findUrl(url: string): Promise<{ readonly kind: 'account' | 'status'; readonly id: Id } | undefined>
  /** Changes a stored status to what its server says now; removes it when it is gone. */
  refreshStatus(status: Id): Promise<void>
  /** Changes a stored account to what its server says now. */
  refreshAccount(account: Id): Promise<void>
  /**
   * Has the replies to a stored status fetched; the headers that say so, or undefined when nothing
   * is fetched.
   */
  refreshReplies(status: Id): Promise<Record<string, string> | undefined>
}

/** The district that asks other servers builds on this one, so it is put in at the start. */
const place = perServer<{ lookup?: RemoteLookup }>(() => ({}))

export function useRemoteLookup(services: Services, lookup: RemoteLookup): void {
  place(services).lookup = lookup
}

/** What another server says of a handle; `silent` when it gives no answer. */
export interface HandleAnswer {
  readonly id: Id | undefined
  readonly silent: boolean
}

/** Asks another server for the account with the handle `user@domain`. */
export async function askForHandle(services: Services, text: string): Promise<HandleAnswer> {
  const handle = parseHandle(text, services.config)
  if (!handle || handle.domain === null) return { id: undefined, silent: false }
  try {
    return { id: await place(services).lookup?.findHandle(handle.username, handle.domain), silent: false }
  } catch (error) {
    if (error instanceof OutgoingFailure) return { id: undefined, silent: true }
    throw error
  }
}

/** The account with the handle `user@domain` on another server, if that gives an answer. */
export const findRemoteHandle = async (services: Services, text: string): Promise<Id | undefined> =>
  (await askForHandle(services, text)).id

/** The account or status with a URL on another server. */
export const findRemoteUrl = async (services: Services, url: string) => place(services).lookup?.findUrl(url)

/** Asks the server of a stored status how it is now. */
export const refreshRemoteStatus = async (services: Services, status: Id): Promise<void> =>
  place(services).lookup?.refreshStatus(status)

/** Asks the server of a stored account how it is now. */
export const refreshRemoteAccount = async (services: Services, account: Id): Promise<void> =>
  place(services).lookup?.refreshAccount(account)

/** Has the replies to a stored status fetched from its server. @returns headers that say so */
export const refreshRemoteReplies = async (
  services: Services,
  status: Id,
): Promise<Record<string, string> | undefined> => place(services).lookup?.refreshReplies(status)
