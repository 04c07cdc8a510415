import { ApiError } from '../core/errors.ts'
import type { Json } from '../platform/http/response.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import type { RenderOptions } from './status_json.ts'
import { renderStatus } from './render.ts'

const MISSING = { message: 'Not Found' } as const

/** The 404 for a status that is not there or that the viewer may not see: nobody can tell which. */
export const statusMissing = (): ApiError => new ApiError('notFound', MISSING)

/** The id of a status in a path. What cannot be an id is told as that of a status that is not there. */
export const STATUS_ID = param.id(MISSING)

/** The entity that an operation on one status answers. @throws ApiError when the viewer may not see it */
export async function answerStatus(
  context: Services & { readonly viewer: Viewer | null },
  id: Id | undefined,
  options?: RenderOptions,
): Promise<Json> {
  const rendered = id === undefined ? undefined : await renderStatus(context, context.viewer, id, options)
  if (!rendered) throw statusMissing()
  return rendered
}
