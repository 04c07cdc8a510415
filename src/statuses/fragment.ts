import type { Piece } from '../http/index.ts'
import type { Id } from '../id.ts'
import type { PollFragment } from '../polls/index.ts'
import { htmlToText } from '../text/index.ts'
import type { Visibility } from './facts.ts'

/** What of a status comes after its account and is the same for everybody. */
export interface StatusParts {
  readonly content: Piece
  readonly visibilityBefore: Piece
  readonly body: Piece
  readonly application: Piece
  readonly rest: Piece
  readonly tail: Piece
  readonly approval: Piece
}

/**
 * A status as bytes, cut where the account and the viewer come in. The pieces are joined in this order:
 * `head` account `content` `visibilityBefore` sensitive `body` application `rest` reblog poll card `tail` quote `approval` current_user
 * collections, and then the viewer's fields. `approval` is that of the boosted status.
 */
export interface StatusFragment {
  readonly id: Id
  readonly accountId: Id
  readonly reblogOfId: Id | null
  readonly conversationId: Id | null
  readonly visibility: Visibility
  readonly sensitive: boolean
  readonly quotePolicy: string
  readonly head: Piece
  /** Of a status that no other entity is part of but its account: from there to `approval` in one, as nearly all viewers are shown it. */
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
  /** Where the parts begin and end, in their order. */
  readonly cuts: readonly number[]
}

/** The parts of any status. Those of a plain one are made anew: few viewers are shown one in another way than all. */
export function partsOf({ parts, plain }: StatusFragment): StatusParts {
  if (parts) return parts
  if (!plain) throw new Error('a fragment of a status has no bytes')
  const { bytes, cuts } = plain
  const part = (at: number): Piece => bytes.subarray(cuts[2 * at], cuts[2 * at + 1])
  return {
    content: part(0),
    visibilityBefore: part(1),
    body: part(2),
    application: part(3),
    rest: part(4),
    tail: part(5),
    approval: part(6),
  }
}

const CONTENT = ',"content":'

/** The part `content`. */
export const contentPart = (html: string): string => `${CONTENT}${JSON.stringify(html)}`

/** The HTML of the part `content`. */
function htmlOf(fragment: StatusFragment): string {
  const { content } = partsOf(fragment)
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
