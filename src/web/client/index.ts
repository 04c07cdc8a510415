/** The operator's web client: static files of a single-page application, served at `/`. */
export { createWebClient, requireWebClient } from './web_client.ts'
