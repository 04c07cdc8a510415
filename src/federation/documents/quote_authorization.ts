import type { Id } from '../../core/id.ts'
import { actorUri } from '../protocol/index.ts'
import { authorUri, statusUri, type StatusReference } from './reference.ts'

/** The authorization of a quote by a local author (FEP-044f). */
export const quoteAuthorization = (
  publicUrl: string,
  quote: Id,
  quoting: StatusReference,
  quoted: StatusReference,
) => ({
  id: `${actorUri(publicUrl, quoted.account_id)}/quote_authorizations/${quote}`,
  type: 'QuoteAuthorization',
  attributedTo: authorUri(quoted, publicUrl),
  interactingObject: statusUri(quoting, publicUrl),
  interactionTarget: statusUri(quoted, publicUrl),
})
