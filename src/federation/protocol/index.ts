/** The language of the protocol: identifiers, members of JSON, media types. */
export { countedType } from './metric_type.ts'
export { ACTIVITY_TYPE, isDocumentType, LINKED_DATA_TYPE, wantsDocument } from './media_types.ts'
export { fromBase58 } from './base58.ts'
export {
  dateText,
  hostOf,
  idOf,
  isActivityStreams,
  isObject,
  isPublicAudience,
  listOf,
  nextSecond,
  parseObject,
  sameHost,
  textOf,
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
  keyUri,
  noteUri,
  numberedUri,
  parseLocal,
  payloadUri,
  PUBLIC,
  sharedInboxUri,
} from './uris.ts'
