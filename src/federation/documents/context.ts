const WEBFINGER = 'https://purl.archive.org/socialweb/webfinger'

/** The JSON-LD context of actors, with all terms: ActivityStreams and those beyond it. */
export const CONTEXT = [
  'https://www.w3.org/ns/activitystreams',
  'https://w3id.org/security/v1',
  WEBFINGER,
  {
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    sensitive: 'as:sensitive',
    Hashtag: 'as:Hashtag',
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    toot: 'http://joinmastodon.org/ns#',
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
    discoverable: 'toot:discoverable',
    indexable: 'toot:indexable',
    memorial: 'toot:memorial',
    suspended: 'toot:suspended',
    attributionDomains: { '@id': 'toot:attributionDomains', '@type': '@id' },
    showFeatured: 'toot:showFeatured',
    showMedia: 'toot:showMedia',
    showRepliesInMedia: 'toot:showRepliesInMedia',
    Emoji: 'toot:Emoji',
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
    blurhash: 'toot:blurhash',
    votersCount: 'toot:votersCount',
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
    conversation: 'ostatus:conversation',
    gts: 'https://gotosocial.org/ns#',
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
    manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
    interactingObject: { '@id': 'gts:interactingObject', '@type': '@id' },
    interactionTarget: { '@id': 'gts:interactionTarget', '@type': '@id' },
    featuredCollections: { '@id': 'https://w3id.org/fep/7aa9#featuredCollections', '@type': '@id' },
    FeaturedCollection: 'https://w3id.org/fep/7aa9#FeaturedCollection',
    FeaturedItem: 'https://w3id.org/fep/7aa9#FeaturedItem',
    FeatureRequest: 'https://w3id.org/fep/7aa9#FeatureRequest',
    FeatureAuthorization: 'https://w3id.org/fep/7aa9#FeatureAuthorization',
    topic: { '@id': 'https://w3id.org/fep/7aa9#topic', '@type': '@id' },
    featuredObject: { '@id': 'https://w3id.org/fep/7aa9#featuredObject', '@type': '@id' },
    featuredObjectType: 'https://w3id.org/fep/7aa9#featuredObjectType',
    featureAuthorization: { '@id': 'https://w3id.org/fep/7aa9#featureAuthorization', '@type': '@id' },
    canFeature: { '@id': 'https://w3id.org/fep/7aa9#canFeature', '@type': '@id' },
    quote: { '@id': 'https://w3id.org/fep/044f#quote', '@type': '@id' },
    quoteAuthorization: { '@id': 'https://w3id.org/fep/044f#quoteAuthorization', '@type': '@id' },
    QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
    QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
    quoteUri: 'http://fedibird.com/ns#quoteUri',
    _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
  },
] as const

const WITHOUT_WEBFINGER = CONTEXT.filter(one => one !== WEBFINGER)

const isActor = (value: unknown): boolean => typeof value === 'object' && value !== null && 'webfinger' in value

/**
 * Adds the context to a document; embedded objects need none of their own. Other servers have to
 * fetch that of `webfinger`, so only documents with an actor name it.
 */
export const withContext = (object: object): object => ({
  '@context': isActor(object) || ('object' in object && isActor(object.object)) ? CONTEXT : WITHOUT_WEBFINGER,
  ...object,
})
