/** Background work that clients poll. */
export { countResult, finishRefresh, refreshHeader, runningRefresh, startRefresh, type Refresh } from './refresh.ts'
