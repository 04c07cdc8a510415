import { directTimeline } from './direct.ts'
import { homeTimeline, listTimeline } from './home.ts'
import { linkTimeline } from './link.ts'
import { publicTimeline } from './public.ts'
import { tagTimeline } from './tag.ts'

/** Timelines, as the API calls what is read page by page. */
export const operations = [homeTimeline, publicTimeline, tagTimeline, linkTimeline, listTimeline, directTimeline]
