import { operation, param, redirect } from '../../platform/http/index.ts'
import { html, pageResponse } from '../../platform/ui/index.ts'
import { openWebSession } from '../sessions/index.ts'

/** Shows the code to users of applications without a redirect URI. */
export const showCode = operation({
  method: 'GET',
  path: '/oauth/authorize/native',
  summary: 'Show an authorization code for copying',
  auth: 'public',
  scopes: [],
  page: true,
  params: { code: param.string({ missing: 400 }) },
  returns: 'text/html',
  async handle({ code }, context) {
    const webSession = await openWebSession(context)
    if (!webSession.viewer) return redirect('/auth/sign_in')
    const { t } = webSession.translator
    const body = html`<h1>${t('consent.code.title')}</h1>
      <p>${t('consent.code.intro')}</p>
      <div class="field">
        <label for="code">${t('consent.code.label')}</label>
        <input id="code" class="code" type="text" value="${code}" readonly autofocus />
      </div>
      <p class="quiet">${t('consent.code.whole')}</p>
      <p class="code whole">${code}</p>`
    return pageResponse(context, webSession, { title: t('consent.code.title'), body })
  },
})
