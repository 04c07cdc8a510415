import { fetchCounts } from './fetch_counts.ts'
import { copyPicture } from './pictures.ts'
import { storeRedirection } from './store_redirection.ts'
import { verifyRemoteLinks } from './verify_links.ts'

export const jobs = [copyPicture, fetchCounts, storeRedirection, verifyRemoteLinks]
