import { accountStatuses } from './account_statuses.ts'
import { bookmarkStatus, unbookmarkStatus } from './bookmark.ts'
import { showCard } from './card.ts'
import { showContext } from './context.ts'
import { deleteStatus } from './delete_status.ts'
import { editStatus } from './edit_status.ts'
import { favouriteStatus, unfavouriteStatus } from './favourite.ts'
import { showHistory } from './history.ts'
import { changeInteractionPolicy } from './interaction_policy.ts'
import { favouritedBy, rebloggedBy } from './interactions.ts'
import { showBookmarks, showFavourites } from './saved_statuses.ts'
import { muteConversation, unmuteConversation } from './mute_conversation.ts'
import { pinStatus, unpinStatus } from './pin.ts'
import { postStatus } from './post_status.ts'
import { revokeQuote, showQuotes } from './quotes.ts'
import { reblogStatus, unreblogStatus } from './reblog.ts'
import { showSource, showStatus, showStatuses } from './show_status.ts'
import { translateStatus } from './translate_status.ts'

export const operations = [
  accountStatuses,
  postStatus,
  showStatuses,
  showStatus,
  editStatus,
  changeInteractionPolicy,
  deleteStatus,
  showQuotes,
  revokeQuote,
  showCard,
  showContext,
  showSource,
  showHistory,
  translateStatus,
  favouritedBy,
  rebloggedBy,
  favouriteStatus,
  unfavouriteStatus,
  reblogStatus,
  unreblogStatus,
  bookmarkStatus,
  unbookmarkStatus,
  muteConversation,
  unmuteConversation,
  pinStatus,
  unpinStatus,
  showFavourites,
  showBookmarks,
]
