import { asset } from '../../platform/ui/index.ts'
import { addKey, removeKeyOnPage, showKeys, showRegistrationOptions } from './pages.ts'
import { SCRIPT } from './script.ts'

const FILE = new URL('security_key.js', import.meta.url)

export const operations = [
  showKeys,
  showRegistrationOptions,
  addKey,
  removeKeyOnPage,
  asset(SCRIPT, FILE, 'text/javascript', 'Script of the pages with security keys'),
]
