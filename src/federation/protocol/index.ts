/** The common parts of ActivityPub's documents: identifiers, members of JSON, media types. */
export { parseAcct } from './acct.ts'
export { activityTypeOf, metricType, type ActivityType } from './activity_type.ts'
export { ACTIVITY_TYPE, isDocumentType, LINKED_DATA_TYPE, wantsDocument } from './media_types.ts'
export { fromMultibase } from './multibase.ts'
export { ML_DSA_KEY_BYTES, MlDsaKey, parsePublicKey, type PublicKey } from './public_key.ts'
export {
  formatDateTime,
  hostOf,
  idOf,
  hasActivityStreamsContext,
  isObject,
  isPublicAudience,
  listOf,
  MAX_COUNT,
  parseCount,
  parseTime,
  ceilToSecond,
  parseObject,
  sameHost,
  textOf,
  timeInMs,
  totalIn,
  typesOf,
  type JsonObject,
} from './json.ts'
export {
  activityUri,
  actorUri,
  collectionUri,
  contextUri,
  followersUri,
  instanceActorUri,
  isStorableUri,
  keyUri,
  noteUri,
  fragmentUri,
  parseLocalPage,
  parseLocalUri,
  payloadUri,
  PUBLIC,
  sharedInboxUri,
} from './uris.ts'
