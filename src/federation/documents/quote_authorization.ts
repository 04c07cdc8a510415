import type { Id } from '../../core/id.ts'
import { actorUri } from '../protocol/index.ts'
import { authorOf, uriOfReference, type StatusReference } from './reference.ts'

/** The permission of a local author for a quote (FEP-044f). */
export const quoteAuthorization = (
  publicUrl: string,
  quote: Id,
  quoting: StatusReference,
  quoted: StatusReference,
) => ({
  id: `${actorUri(publicUrl, quoted.account_id)}/quote_authorizations/${quote}`,
  type: 'QuoteAuthorization',
  attributedTo: authorOf(quoted, publicUrl),
  interactingObject: uriOfReference(quoting, publicUrl),
  interactionTarget: uriOfReference(quoted, publicUrl),
})
