import { asset } from '../../platform/ui/index.ts'
import { aboutPages } from './about.ts'
import { showCollectionPage } from './collection_page.ts'
import { authorizeInteraction } from './interaction.ts'
import { redirects } from './redirects.ts'
import { profilePages } from './profile_page.ts'
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
  authorizeInteraction,
  asset('/assets/public.css', SHEET, 'text/css', 'Style sheet of public pages'),
]
