import { RemovalPolicy } from 'aws-cdk-lib';
import { BackupVault, CfnBackupPlan, CfnBackupSelection } from 'aws-cdk-lib/aws-backup';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acceptFindings } from './accepted-findings.ts';
import type { StackSettings } from './settings/settings.ts';
import type { Storage } from './storage.ts';

/** Days in the stack's own vault, from which copies are made. The table's backups last 35 days. */
const keptHereDays = 7;
const daily = 'cron(0 2 * * ? *)';

/** AWS Backup's own policies, because the rights for a backup differ by service, and change. */
const policies = [
  'service-role/AWSBackupServiceRolePolicyForBackup',
  'AWSBackupServiceRolePolicyForS3Backup',
];

/**
 * Copies table and bucket every day into a vault in another region or account. The stack's own
 * vault stays when it is removed.
 */
export const addCopies = (
  parent: Construct,
  { stage, copies }: StackSettings,
  { table, bucket, key }: Storage,
): void => {
  if (copies === undefined) return;
  const scope = new Construct(parent, 'Copies');
  const vault = new BackupVault(scope, 'Vault', {
    ...(key && { encryptionKey: key }),
    removalPolicy: RemovalPolicy.RETAIN,
  });
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  for (const name of policies)
    acceptFindings(role, {
      [`AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`]:
        'The policy that AWS keeps for just this role',
    });
  const plan = new CfnBackupPlan(scope, 'Plan', {
    backupPlan: {
      backupPlanName: `outbound-${stage}`,
      backupPlanRule: [
        {
          ruleName: 'daily',
          targetBackupVault: vault.backupVaultName,
          scheduleExpression: daily,
          lifecycle: { deleteAfterDays: keptHereDays },
          copyActions: [
            { destinationBackupVaultArn: copies.vaultArn, lifecycle: { deleteAfterDays: copies.days } },
          ],
        },
      ],
    },
  });
  new CfnBackupSelection(scope, 'Selection', {
    backupPlanId: plan.ref,
    backupSelection: {
      selectionName: 'table-and-bucket',
      iamRoleArn: role.roleArn,
      resources: [table.tableArn, bucket.bucketArn],
    },
  });
};
