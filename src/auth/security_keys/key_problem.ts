import type { Translator } from '../../platform/i18n/index.ts'
import { html, type Html } from '../../platform/ui/index.ts'

/** The element in which the script reports errors; without scripts it says that they are needed. */
export const keyProblem = ({ t }: Translator): Html =>
  html`<noscript><p class="alert">${t('security_keys.no_script')}</p></noscript>
    <p
      class="alert"
      role="alert"
      data-security-key-problem="true"
      data-text="${t('security_keys.failed')}"
      data-unsupported="${t('security_keys.unsupported')}"
      hidden
    ></p>`
