import type { Piece } from '../http/index.ts'
import type { Id } from '../id.ts'
import type { PollFragment } from '../polls/index.ts'
import { htmlToText } from '../text/index.ts'
import type { Visibility } from './facts.ts'

/**
 * A status as bytes, cut where the account and the viewer come in. The pieces are joined in this order:
 * `head` account `content` sensitive `body` application `rest` reblog poll card `tail` quote `approval` current_user collections, and then
 * the viewer's fields. `approval` is that of the boosted status.
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
  readonly content: Piece
  readonly visibilityBefore: Piece
  readonly body: Piece
  readonly application: Piece
  readonly rest: Piece
  readonly tail: Piece
  readonly approval: Piece
  readonly poll: PollFragment | null
  readonly hasQuote: boolean
  /** That its text links to. */
  readonly collectionIds: readonly Id[]
  /** The preview of its first link, and how the text writes that. */
  readonly card: { readonly id: Id; readonly url: string } | null
  /** The HTML behind `content`, the content warning and the descriptions of media: what filters look through. */
  readonly html: string
  readonly spoilerText: string
  readonly descriptions: readonly string[]
}

const texts = new WeakMap<StatusFragment, string>()

/** What the keywords of filters are searched in: content warning, text without HTML, options of a poll, descriptions, joined by blank lines. */
export function searchText(fragment: StatusFragment): string {
  let text = texts.get(fragment)
  if (text === undefined) {
    text = [
      fragment.spoilerText,
      htmlToText(fragment.html),
      ...(fragment.poll?.options ?? []),
      ...fragment.descriptions,
    ].join('\n\n')
    texts.set(fragment, text)
  }
  return text
}
