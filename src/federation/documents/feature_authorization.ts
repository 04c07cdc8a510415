import type { Id } from '../../core/id.ts'
import { actorUri } from '../protocol/index.ts'

export const featureAuthorizationUri = (publicUrl: string, account: Id, item: Id): string =>
  `${actorUri(publicUrl, account)}/feature_authorizations/${item}`

/** The authorization by a local account to be in a collection (FEP-7aa9). */
export const featureAuthorization = (publicUrl: string, account: Id, item: Id, collection: string) => ({
  id: featureAuthorizationUri(publicUrl, account, item),
  type: 'FeatureAuthorization',
  interactingObject: collection,
  interactionTarget: actorUri(publicUrl, account),
})
