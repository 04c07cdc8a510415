import general from './general.json' with { type: 'json' }
import analytics from './analytics.json' with { type: 'json' }
import api from './api.json' with { type: 'json' }
import apiErrors from './api_errors.json' with { type: 'json' }
import members from './members.json' with { type: 'json' }
import moderationArea from './moderation_area.json' with { type: 'json' }
import newTerms from './new_terms.json' with { type: 'json' }
import publicSite from './public_site.json' with { type: 'json' }
import setup from './setup.json' with { type: 'json' }
import siteArea from './site_area.json' with { type: 'json' }
import staffEmails from './staff_emails.json' with { type: 'json' }
import staffStatuses from './staff_statuses.json' with { type: 'json' }
import staffWork from './staff_work.json' with { type: 'json' }
import subscriptions from './subscriptions.json' with { type: 'json' }

export default {
  ...general,
  ...analytics,
  ...api,
  ...apiErrors,
  ...members,
  ...moderationArea,
  ...newTerms,
  ...publicSite,
  ...setup,
  ...siteArea,
  ...staffEmails,
  ...staffStatuses,
  ...staffWork,
  ...subscriptions,
}
