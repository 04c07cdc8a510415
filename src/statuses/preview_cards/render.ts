import { renderAccounts } from '../../accounts/index.ts'
import type { Json } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { cardFragments, type CardFragment } from './fragment.ts'

/** A preview card for a viewer. */
export interface Card {
  readonly id: Id
  /**
   * The entity PreviewCard as JSON.
   * @param url as written where the card is shown; defaults to the card's own
   */
  text(url?: string): string
}

/**
 * The preview cards with these ids for the viewer (null for anonymous); unknown ids are skipped.
 */
export async function cardsOf(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Card>> {
  if (ids.length === 0) return new Map()
  const fragments = await cardFragments(services).get(ids)
  const confirmed = [...fragments.values()].flatMap(({ creatorId, isConfirmed }) =>
    isConfirmed ? (creatorId ?? []) : [],
  )
  const accounts = await renderAccounts(services, viewer, confirmed)
  return new Map(
    [...fragments].map(([id, fragment]) => {
      const account = fragment.creatorId === null ? undefined : accounts.get(fragment.creatorId)
      return [id, { id, text: (url = fragment.url) => cardText(fragment, url, viewer, account) }]
    }),
  )
}

/** Whether a preview card names an account. */
export const namesAccount = async (services: Services, id: Id): Promise<boolean> =>
  ((await cardFragments(services).one(id))?.creatorId ?? null) !== null

function cardText(fragment: CardFragment, url: string, viewer: Viewer | null, account: Json | undefined): string {
  const { author, isConfirmed, creatorId } = fragment
  const named = isConfirmed ? account : undefined
  const authors =
    named || author.name !== '' || author.url !== ''
      ? `[{"name":${JSON.stringify(author.name)},"url":${JSON.stringify(author.url)},"account":${named?.text ?? 'null'}}]`
      : '[]'
  const attribution = viewer ? `,"missing_attribution":${viewer.id === creatorId && !isConfirmed}` : ''
  return `{"url":${JSON.stringify(url)},${fragment.head},"authors":${authors},${fragment.body}${attribution}}`
}
