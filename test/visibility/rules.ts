import { FOLLOWERS, MENTIONED, PEOPLE, type Viewer, type Visibility } from './cast.ts'

/** What has become of the author since. */
export type AuthorState = 'fine' | 'suspended' | 'unconfirmed'

const isPerson = (viewer: Viewer): boolean => PEOPLE.some(name => name === viewer)
const isSevered = (viewer: Viewer): boolean => viewer === 'blocked' || viewer === 'blocking'

/** Who may see a status: the rule that everything else of this test follows from. */
export function maySee(visibility: Visibility, viewer: Viewer, fate: AuthorState): boolean {
  if (fate !== 'fine' || viewer === 'blocked') return false
  if (visibility === 'public' || visibility === 'unlisted' || viewer === 'author') return true
  if (MENTIONED.includes(viewer)) return true
  return visibility === 'private' && FOLLOWERS.includes(viewer)
}

/** Where a status is to be found, for a viewer who may see it. */
const PLACES = {
  alone: () => true,
  /** Reads that ask for a token, an application's too. */
  withToken: (_, viewer) => viewer !== 'anonymous',
  kept: (_, viewer) => isPerson(viewer),
  /** Leaves out authors whom the viewer blocks. */
  wanted: (_, viewer) => viewer !== 'blocking',
  home: (_, viewer) => viewer === 'author' || FOLLOWERS.includes(viewer),
  list: (visibility, viewer) => FOLLOWERS.includes(viewer) && visibility !== 'direct',
  everybody: (visibility, viewer) => visibility === 'public' && !isSevered(viewer),
  /** Streams ask for a person. */
  everybodyLive: (visibility, viewer) => visibility === 'public' && isPerson(viewer) && !isSevered(viewer),
  /** With those that are filtered: direct mentions by whom one does not follow. */
  notified: (_, viewer) => viewer === 'friend' || viewer === 'mentioned',
  notifiedLive: (visibility, viewer) => viewer === 'friend' || (viewer === 'mentioned' && visibility !== 'direct'),
  /** The user's stream has the home timeline and the notifications. */
  homeLive: (visibility, viewer) =>
    viewer === 'author' || FOLLOWERS.includes(viewer) || (viewer === 'mentioned' && visibility !== 'direct'),
  conversation: (visibility, viewer) => visibility === 'direct' && (viewer === 'author' || viewer === 'friend'),
} satisfies Record<string, (visibility: Visibility, viewer: Viewer) => boolean>

export type Place = keyof typeof PLACES

export const isExpected = (place: Place, visibility: Visibility, viewer: Viewer, fate: AuthorState): boolean =>
  maySee(visibility, viewer, fate) && PLACES[place](visibility, viewer)
