import { ApiError } from '../core/errors.ts'
import { c, query } from '../platform/database/index.ts'
import { follow, OutgoingFailure } from '../platform/http_client/index.ts'
import type { Services } from '../platform/services.ts'

const isSuspended = query('media/is_suspended_host', { host: c.text }, { suspended: c.boolean })

const REDIRECTS = 3
/** The longest silence; large files may take longer. */
const SILENCE_MS = 10_000

/**
 * Downloads a file of another server into memory, unless nothing is exchanged with that server.
 * @returns undefined when it does not exist or has more than `maxBytes`
 * @throws ApiError remoteFailed when its server does not respond
 */
export async function downloadFile(
  { outgoing, database }: Services,
  url: string,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<Buffer | undefined> {
  const isAllowed = async (one: string): Promise<boolean> =>
    (await database.one(isSuspended, { host: new URL(one).host }))?.suspended !== true
  try {
    const { status, complete, body } = await follow(outgoing, url, {
      isAllowed,
      timeoutMs,
      silenceMs: Math.min(SILENCE_MS, timeoutMs),
      redirects: REDIRECTS,
      maxBytes,
      headers: { accept: 'image/*, video/*, audio/*', 'accept-encoding': 'identity' },
    })
    if (status >= 500) throw new ApiError('remoteFailed')
    return status === 200 && complete ? body : undefined
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    if (error.reason === 'refused') return undefined
    throw new ApiError('remoteFailed', { cause: error })
  }
}
