import { asset } from '../../platform/ui/index.ts'
import { aboutPages } from './about.ts'
import { showCollectionPage } from './collection_page.ts'
import { authorizeInteraction, followIntent } from './interaction.ts'
import { LIVE_SCRIPT, showLive } from './live.ts'
import { showLocalTimeline } from './local_timeline.ts'
import { manifest } from './manifest.ts'
import { robotsFile } from './robots.ts'
import { permalinks } from './permalinks.ts'
import { redirects } from './redirects.ts'
import { profilePages } from './profile_page.ts'
import { share, showShare } from './share.ts'
import { showReportPage } from './report_page.ts'
import { showStatusPage } from './status_page.ts'
import { showTagPage } from './tag_page.ts'

const SHEET = new URL('public.css', import.meta.url)

/** All public pages. */
export const operations = [
  ...aboutPages,
  ...profilePages,
  showStatusPage,
  showTagPage,
  showCollectionPage,
  showReportPage,
  ...redirects,
  ...permalinks,
  authorizeInteraction,
  followIntent,
  showShare,
  share,
  manifest,
  showLive,
  showLocalTimeline,
  asset(LIVE_SCRIPT, new URL('live.js', import.meta.url), 'text/javascript', 'Script of the local timeline'),
  robotsFile,
  asset('/assets/public.css', SHEET, 'text/css', 'Style sheet of public pages'),
]
