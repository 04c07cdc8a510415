import { storePicture, type StoredImage } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { Upload } from '../../platform/http/index.ts'
import { follow, OutgoingFailure } from '../../platform/http_client/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { storing } from '../../platform/storage/files.ts'
import { federatesWithHostOf, waitingBudget } from '../fetch/index.ts'

const find = query('federation/remote_accounts/picture_to_copy', { account: c.id, kind: c.text }, { url: c.text })
const store = query(
  'federation/remote_accounts/store_picture',
  { account: c.id, kind: c.text, url: c.text, image: c.json<StoredImage>() },
  { id: c.id, events: c.events },
)

const LIMITS = { timeoutMs: 30_000, maxBytes: 8 * 1024 * 1024, redirects: 3 } as const

const parseKind = (value: unknown): 'avatar' | 'header' => {
  if (value === 'avatar' || value === 'header') return value
  throw new Error('the payload has no kind of picture')
}

/**
 * Stores a copy of the avatar or header of a remote account, converted like an uploaded one. Until
 * then, and when the file is not a suitable picture, clients load the original.
 */
export const copyPicture = job<{ account: Id; kind: string }, Services>(
  'federation.copy_picture',
  payload => ({ account: idIn(payload, 'account'), kind: parseKind(memberOf(payload, 'kind')) }),
  async ({ account, kind }, services, { lastAttempt, signal }) => {
    const source = await services.database.one(find, { account, kind })
    if (!source) return
    try {
      await storing(services.storage, async stored => {
        const image = await download(services, parseKind(kind), { url: source.url, signal, stored })
        if (!image) return
        const shown = await services.database.one(store, { account, kind, url: source.url, image })
        if (!shown) for (const key of stored) await services.storage.remove(key)
      })
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      if (error.reason !== 'refused' && !lastAttempt) throw error
    }
  },
  { attempts: 3, priority: 20 },
)

/** Downloads and stores a picture; undefined when it would be refused as an upload. */
async function download(
  services: Services,
  kind: 'avatar' | 'header',
  { url, signal, stored }: { url: string; signal: AbortSignal; stored: string[] },
): Promise<StoredImage | undefined> {
  const headers = { accept: 'image/*', 'accept-encoding': 'identity' }
  const isAllowed = (target: string): Promise<boolean> => federatesWithHostOf(services, target)
  const response = await waitingBudget(services).run(url, () =>
    follow(services.outgoing, url, { ...LIMITS, isAllowed, signal, headers }),
  )
  const { status, complete, body } = response
  if (status !== 200 || !complete) return undefined
  try {
    return await storePicture(services, kind, new Upload('', '', body), stored)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}
