import { App, Tags } from 'aws-cdk-lib';
import { type Bundle, bundleAll } from '../lib/bundling/bundling.ts';
import { settingsFrom } from '../lib/settings/settings.ts';
import { StackSettingError } from '../lib/settings/stage-file.ts';
import { OutboundStack } from '../lib/stack.ts';

const app = new App();
try {
  const settings = settingsFrom(app.node.getAllContext());
  const bundles = await bundleAll();
  const stack = new OutboundStack(app, `outbound-${settings.stage}`, {
    description: 'Outbound-call tasks and their contacts',
    settings,
    codeOf: (id) => (bundles.get(id) as Bundle).folder,
  });
  Tags.of(stack).add('service', 'outbound');
  Tags.of(stack).add('stage', settings.stage);
} catch (error) {
  if (!(error instanceof StackSettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
