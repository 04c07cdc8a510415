import { ApiError } from '../core/errors.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'

/**
 * Old clients asked for the card of a status, which the status itself contains now. The response is
 * always empty.
 */
export const showCard = operation({
  method: 'GET',
  path: '/api/v1/statuses/:id/card',
  auth: 'optional',
  scopes: ['read:statuses'],
  summary: 'Show nothing: the status contains its card',
  params: { id: param.id() },
  returns: 'PreviewCard',
  handle() {
    throw new ApiError('notFound')
  },
})
