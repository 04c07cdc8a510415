import { ApiError } from '../core/errors.ts'
import type { Json } from '../platform/http/response.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import type { RenderOptions } from './status_json.ts'
import { renderStatus } from './render.ts'

const MISSING = { message: 'Not Found' } as const

/**
 * The same 404 for an unknown status and for one that the viewer may not see, so that it reveals
 * nothing.
 */
export const statusMissing = (): ApiError => new ApiError('notFound', MISSING)

/** The id of a status in a path. An invalid id gets the error for an unknown status. */
export const STATUS_ID = param.id(MISSING)

/**
 * The response of an operation on one status.
 * @throws ApiError when the viewer may not see it
 */
export async function respondWithStatus(
  context: Services & { readonly viewer: Viewer | null },
  id: Id | undefined,
  options?: RenderOptions,
): Promise<Json> {
  const rendered = id === undefined ? undefined : await renderStatus(context, context.viewer, id, options)
  if (!rendered) throw statusMissing()
  return rendered
}
