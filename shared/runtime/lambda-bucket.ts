import { neededSetting } from '../settings/environment.ts';
import { type LazyObjects, lazyObjects } from '../store/objects/index.ts';

export const lambdaObjects = (): LazyObjects =>
  lazyObjects(() => ({ region: neededSetting('AWS_REGION'), bucket: neededSetting('BUCKET_NAME') }));
