import { encodeTogether, type Chunk } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { PollFragment } from './polls/index.ts'
import { htmlToText } from '../core/text/index.ts'
import type { Visibility } from './event_facts.ts'

/** The parts of a status after its account that are the same for all viewers, in this order. */
type Parts<T> = readonly [
  content: T,
  /** Up to `sensitive`, which moderators may set for an author. */
  visibility: T,
  body: T,
  /** Shown only if the author agrees. */
  application: T,
  /** Up to the boosted status, the poll and the card. */
  rest: T,
  /** Up to the quote. */
  tail: T,
  /** The quote policy, up to the viewer's permission; of the boosted status. */
  approval: T,
]

export type StatusParts = Parts<Chunk>
export type PartTexts = Parts<string>

/**
 * A status as bytes, cut where account and viewer data is inserted: `head`, the account, the parts
 * with the data between them, the viewer's permission to quote, linked collections, and then the
 * viewer's fields.
 */
export interface StatusFragment {
  readonly id: Id
  readonly accountId: Id
  readonly reblogOfId: Id | null
  readonly conversationId: Id | null
  readonly visibility: Visibility
  readonly sensitive: boolean
  readonly quotePolicy: string
  readonly head: Chunk
  /**
   * For a status that contains no entity except its account: all its parts in one piece, as nearly
   * all viewers get it.
   */
  readonly plain: PlainBytes | null
  /** For all other statuses. */
  readonly parts: StatusParts | null
  readonly poll: PollFragment | null
  readonly hasQuote: boolean
  /** The collections that its text links to. */
  readonly collectionIds: readonly Id[]
  /** The preview card of its first link, and the link as written in the text. */
  readonly card: { readonly id: Id; readonly url: string } | null
  /** The content warning; filters search it together with the content. */
  readonly spoilerText: string
  readonly descriptions: readonly string[]
}

/**
 * The parts of a plain status with the data between them: the author's `sensitive`, the
 * application, and empty values for the others.
 */
export interface PlainBytes {
  readonly bytes: Uint8Array
  /** The length of each part in bytes. */
  readonly lengths: readonly number[]
}

/** The data after each part of a plain status. */
const after = (sensitive: boolean): PartTexts => [
  '',
  String(sensitive),
  '',
  '',
  'null,"poll":null,"card":null',
  ',"quote":null',
  '',
]

/** The bytes of a plain status; `head` precedes its account. */
export function encodePlain(head: string, texts: PartTexts, sensitive: boolean): Pick<StatusFragment, BytesOf> {
  const between = after(sensitive)
  const whole = texts.map((text, at) => text + between[at]).join('')
  const [before, bytes] = encodeTogether([head, whole])
  return { head: before, plain: { bytes, lengths: texts.map(text => Buffer.byteLength(text)) }, parts: null }
}

/** The bytes of any status. */
export function encodeParts(head: string, texts: PartTexts): Pick<StatusFragment, BytesOf> {
  const [before, ...parts] = encodeTogether([head, ...texts])
  return { head: before, plain: null, parts }
}

type BytesOf = 'head' | 'plain' | 'parts'

/**
 * The parts of any status. The parts of a plain one are made on demand, because few viewers need
 * it in another form.
 */
export function partsOf({ parts, plain, sensitive }: StatusFragment): StatusParts {
  if (parts) return parts
  if (!plain) throw new Error('a fragment of a status has no bytes')
  const between = after(sensitive)
  let at = 0
  const next = (index: number): Chunk => {
    const from = at + (index === 0 ? 0 : (between[index - 1]?.length ?? 0))
    at = from + (plain.lengths[index] ?? 0)
    return plain.bytes.subarray(from, at)
  }
  return [next(0), next(1), next(2), next(3), next(4), next(5), next(6)]
}

const CONTENT = ',"content":'

/** The part `content`. */
export const contentPart = (html: string): string => `${CONTENT}${JSON.stringify(html)}`

/** The HTML of the part `content`. */
function htmlOf(fragment: StatusFragment): string {
  const [content] = partsOf(fragment)
  const text = typeof content === 'string' ? content : Buffer.from(content).toString()
  return String(JSON.parse(text.slice(CONTENT.length)))
}

const texts = new WeakMap<StatusFragment, string>()

/**
 * The text that filter keywords are searched in: content warning, text without HTML, options of a
 * poll and descriptions, joined by blank lines.
 */
export function searchText(fragment: StatusFragment): string {
  let text = texts.get(fragment)
  if (text === undefined) {
    text = [
      fragment.spoilerText,
      htmlToText(htmlOf(fragment)),
      ...(fragment.poll?.options ?? []),
      ...fragment.descriptions,
    ].join('\n\n')
    texts.set(fragment, text)
  }
  return text
}
