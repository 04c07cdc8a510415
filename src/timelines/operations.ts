import { directTimeline } from './direct.ts'
import { homeTimeline, listTimeline } from './home.ts'
import { linkTimeline } from './link.ts'
import { publicTimeline } from './public.ts'
import { tagTimeline } from './tag.ts'

/** The operations that the API calls timelines. */
export const operations = [homeTimeline, publicTimeline, tagTimeline, linkTimeline, listTimeline, directTimeline]
