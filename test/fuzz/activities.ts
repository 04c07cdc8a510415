import fc from 'fast-check'
import type { NamedPool } from './named_pools.ts'
import { hostileText, type FuzzValue, type Reference } from './values.ts'

type Values = Readonly<Record<string, FuzzValue>>

const the = (of: NamedPool): Reference => ({ ref: 0, of })

/** What an activity may be about. */
const POOLS = [
  'local_actor',
  'local_note',
  'local_collection',
  'remote_actor',
  'remote_followers',
  'remote_note',
  'remote_uri',
] as const satisfies readonly NamedPool[]
const uri: fc.Arbitrary<FuzzValue> = fc.constantFrom(...POOLS).map(the)

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const TYPES =
  'Accept Add Announce Block Create Delete EmojiReact FeatureRequest Flag Follow Like Move QuoteRequest Reject Remove Undo Update View'.split(
    ' ',
  )
const OBJECTS = ['Note', 'Question', 'Article', 'Page', 'Event', 'Person', 'Tombstone', 'Collection', 'Image']

const audience = fc.oneof(fc.constant<FuzzValue>([PUBLIC]), fc.array(uri, { maxLength: 3 }), uri)
const text = fc.oneof(
  fc.constantFrom<FuzzValue>('<p>a quiet morning</p>', '<p>#tea <a href="http://127.0.0.1:1/x">x</a></p>', ''),
  hostileText,
)
const time = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.date({ min: new Date(Date.UTC(2020, 0)), noInvalidDate: true }).map(d => d.toISOString()),
  },
  { weight: 1, arbitrary: hostileText },
)
const count = fc.oneof(fc.nat(100), fc.constantFrom(-1, 2 ** 31, 2 ** 53, 1e300))

const tag = fc.record(
  {
    type: fc.constantFrom('Mention', 'Hashtag', 'Emoji', 'Link'),
    href: uri,
    name: text,
    icon: fc.record({ url: uri }),
  },
  { requiredKeys: ['type'] },
)
const attachment = fc.record(
  {
    type: fc.constantFrom('Document', 'Image', 'Video', 'PropertyValue', 'Link'),
    mediaType: fc.constantFrom('image/png', 'video/mp4', 'text/html', ''),
    url: uri,
    href: uri,
    name: text,
    value: text,
    blurhash: text,
    focalPoint: fc.array(fc.double(), { maxLength: 3 }),
    width: count,
    height: count,
  },
  { requiredKeys: ['type'] },
)
const option = fc.record({ type: fc.constant('Note'), name: text, replies: fc.record({ totalItems: count }) })

/** A note, a question, or what calls itself so. */
const object: fc.Arbitrary<FuzzValue> = fc.record(
  {
    type: fc.oneof(
      { weight: 3, arbitrary: fc.constant('Note') },
      { weight: 1, arbitrary: fc.constantFrom(...OBJECTS) },
    ),
    id: uri,
    attributedTo: fc.oneof({ weight: 3, arbitrary: fc.constant(the('remote_actor')) }, { weight: 1, arbitrary: uri }),
    actor: uri,
    object: uri,
    content: text,
    contentMap: fc.record({ en: text }),
    summary: text,
    name: text,
    to: audience,
    cc: audience,
    published: time,
    updated: time,
    inReplyTo: uri,
    quote: uri,
    sensitive: fc.boolean(),
    tag: fc.array(tag, { maxLength: 3 }),
    attachment: fc.array(attachment, { maxLength: 3 }),
    oneOf: fc.array(option, { maxLength: 3 }),
    endTime: time,
    replies: fc.oneof(uri, fc.record({ type: fc.constant('Collection'), first: uri, totalItems: count })),
    preferredUsername: text,
    inbox: uri,
    icon: fc.record({ type: fc.constant('Image'), url: uri }),
  },
  { requiredKeys: ['type', 'id', 'attributedTo', 'to'] },
)

/** Anything in the place of a member. */
const strange: fc.Arbitrary<FuzzValue> = fc.oneof(
  hostileText,
  fc.constantFrom<FuzzValue>(null, 0, true, [], {}, [[]], [{ type: 'Note' }]),
  object,
)

const activity = fc.record({
  '@context': fc.constant<FuzzValue>('https://www.w3.org/ns/activitystreams'),
  id: fc.constant<FuzzValue>(the('remote_uri')),
  type: fc.constantFrom<FuzzValue>(...TYPES),
  actor: fc.constant<FuzzValue>(the('remote_actor')),
  object: fc.oneof(uri, object),
  to: audience,
  cc: audience,
})
const more = fc.record(
  {
    target: uri,
    instrument: fc.oneof(uri, object),
    result: uri,
    content: text,
    published: time,
    tag: fc.array(tag, { maxLength: 2 }),
  },
  { requiredKeys: [] },
)

/** What another server delivers: mostly proper, with one member that is not in a third of them. */
export const activities: fc.Arbitrary<Values> = fc
  .tuple(activity, more, fc.nat(23), strange)
  .map(([all, some, place, one]): Values => {
    const made = { ...all, ...some }
    const name = Object.keys(made)[place]
    return name === undefined ? made : { ...made, [name]: one }
  })
