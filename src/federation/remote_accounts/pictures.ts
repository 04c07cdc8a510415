import { storePicture, type StoredImage } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { Upload } from '../../platform/http/index.ts'
import { follow, OutgoingFailure } from '../../platform/http_client/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { storing } from '../../platform/storage/files.ts'
import { isOfReachableHost, waitingBudget } from '../fetch/index.ts'

const find = query('federation/remote_accounts/picture', { account: c.id, kind: c.text }, { url: c.text })
const keep = query(
  'federation/remote_accounts/keep_picture',
  { account: c.id, kind: c.text, url: c.text, image: c.json<StoredImage>() },
  { id: c.id, events: c.events },
)

const LIMITS = { timeoutMs: 30_000, maxBytes: 8 * 1024 * 1024, redirects: 3 } as const

const kindOf = (given: unknown): 'avatar' | 'header' => {
  if (given === 'avatar' || given === 'header') return given
  throw new Error('the payload has no kind of picture')
}

/**
 * Stores a copy of the avatar or header of a remote account, converted like an uploaded one. Until
 * then, and when it is not a suitable picture, clients load it from its own server.
 */
export const copyPicture = job<{ account: Id; kind: string }, Services>(
  'federation.copy_picture',
  payload => ({ account: idIn(payload, 'account'), kind: kindOf(memberOf(payload, 'kind')) }),
  async ({ account, kind }, services, { lastAttempt, signal }) => {
    const found = await services.database.one(find, { account, kind })
    if (!found) return
    try {
      await storing(services.storage, async stored => {
        const image = await copy(services, kindOf(kind), { url: found.url, signal, stored })
        if (!image) return
        const kept = await services.database.one(keep, { account, kind, url: found.url, image })
        if (!kept) for (const key of stored) await services.storage.remove(key)
      })
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      if (error.reason !== 'refused' && !lastAttempt) throw error
    }
  },
  { attempts: 3, priority: 20 },
)

/** Undefined when it is no picture that could have been uploaded. */
async function copy(
  services: Services,
  kind: 'avatar' | 'header',
  { url, signal, stored }: { url: string; signal: AbortSignal; stored: string[] },
): Promise<StoredImage | undefined> {
  const headers = { accept: 'image/*', 'accept-encoding': 'identity' }
  const isAllowed = (one: string): Promise<boolean> => isOfReachableHost(services, one)
  const answer = await waitingBudget(services).ask(url, () =>
    follow(services.outgoing, url, { ...LIMITS, isAllowed, signal, headers }),
  )
  const { status, complete, body } = answer
  if (status !== 200 || !complete) return undefined
  try {
    return await storePicture(services, kind, new Upload('', '', body), stored)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}
