import { setTimeout } from 'node:timers/promises'
import { findByHandle, findRemoteHandle } from '../accounts/index.ts'
import type { Services } from '../platform/services.ts'

/** The maximum number of accounts that are looked up on other servers for one text. */
const MAX_LOOKED_UP = 10
/** A post waits so long at most; the account of a slower server is known to the next one. */
const WAIT_MS = 8000

/**
 * Looks up mentioned accounts that are not known here on their servers, by WebFinger.
 * @returns whether one was found, so that it can be mentioned
 */
export async function lookUpMentions(
  services: Services,
  names: readonly { username: string; domain: string | null }[],
): Promise<boolean> {
  let isAnyFound = false
  const lookUp = async (handle: string): Promise<void> => {
    // A known account that may not be mentioned, such as a blocked one, is not requested.
    if ((await findByHandle(services, handle)) !== undefined) return
    if ((await findRemoteHandle(services, handle)) !== undefined) isAnyFound = true
  }
  if (names.length === 0) return false
  const end = new AbortController()
  const lookUps = names.slice(0, MAX_LOOKED_UP).map(({ username, domain }) => lookUp(`${username}@${domain ?? ''}`))
  const waits = setTimeout(WAIT_MS, undefined, { signal: end.signal }).catch(() => undefined)
  const all = Promise.all(lookUps)
  // After the wait nobody else handles a failure of the database.
  all.catch((error: unknown) => services.logger.error({ err: error }, 'an account was not looked up'))
  await Promise.race([all, waits])
  end.abort()
  return isAnyFound
}
