import { fetchCollection } from './fetch_collection.ts'
import { fetchEmbeddedReplies } from './fetch_embedded_replies.ts'
import { fetchFeatured } from './fetch_featured.ts'
import { fetchMentions } from './fetch_mentions.ts'
import { fetchQuote } from './fetch_quote.ts'
import { fetchRelayed } from './fetch_relayed.ts'
import { fetchReplies } from './fetch_replies.ts'
import { fetchParent } from './fetch_parent.ts'
import { forwardSigned } from './forward.ts'
import { refreshReported } from './refresh_status.ts'
import { synchronizeFollowers } from './synchronize_followers.ts'
import { removeTombstones } from './tombstones.ts'

export const jobs = [
  fetchCollection,
  fetchEmbeddedReplies,
  fetchFeatured,
  fetchMentions,
  fetchQuote,
  fetchRelayed,
  fetchReplies,
  fetchParent,
  forwardSigned,
  refreshReported,
  removeTombstones,
  synchronizeFollowers,
]
