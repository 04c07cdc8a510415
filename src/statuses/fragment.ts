import { encodeTogether, type Chunk } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { PollFragment } from './polls/index.ts'
import { htmlToText } from '../core/text/index.ts'
import type { Visibility } from './event_facts.ts'

/** What of a status comes after its account and is the same for everybody, in this order. */
type Parts<T> = readonly [
  content: T,
  /** Up to `sensitive`, which the status of an author may be by an act of moderation. */
  visibility: T,
  body: T,
  /** Not everybody shows what they post with. */
  application: T,
  /** Up to what it boosts, a poll and a card. */
  rest: T,
  /** Up to what it quotes. */
  tail: T,
  /** Who may quote it, up to whether the viewer may; of the boosted status. */
  approval: T,
]

export type StatusParts = Parts<Chunk>
export type PartTexts = Parts<string>

/**
 * A status as bytes, cut where the account and the viewer come in: `head`, the account, the parts with what belongs between them, what the
 * viewer may do, linked collections, and then the viewer's fields.
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
  /** Of a status that no other entity is part of but its account: all its parts in one, as nearly all viewers are shown it. */
  readonly plain: PlainBytes | null
  /** Of all others. */
  readonly parts: StatusParts | null
  readonly poll: PollFragment | null
  readonly hasQuote: boolean
  /** That its text links to. */
  readonly collectionIds: readonly Id[]
  /** The preview of its first link, and how the text writes that. */
  readonly card: { readonly id: Id; readonly url: string } | null
  /** What filters look through beside the content. */
  readonly spoilerText: string
  readonly descriptions: readonly string[]
}

/** The parts of a plain status with what is between them: `sensitive` as the author has it, the application, and nothing in place of others. */
export interface PlainBytes {
  readonly bytes: Uint8Array
  /** How many bytes each part has. */
  readonly lengths: readonly number[]
}

/** What comes after each part of a plain status. */
const after = (sensitive: boolean): PartTexts => [
  '',
  String(sensitive),
  '',
  '',
  'null,"poll":null,"card":null',
  ',"quote":null',
  '',
]

/** The bytes of a plain status; `head` is what comes before its account. */
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

/** The parts of any status. Those of a plain one are made anew: few viewers are shown one in another way than all. */
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

/** What the keywords of filters are searched in: content warning, text without HTML, options of a poll, descriptions, joined by blank lines. */
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
