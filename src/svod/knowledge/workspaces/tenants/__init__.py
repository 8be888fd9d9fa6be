"""Workspaces as wholes (K1).

Takes the operator's wish, or an owner's about his own; gives workspaces. It promises that of a deleted
one no row is left when the call returns, in no table, and that its files follow.
"""

from svod.knowledge.workspaces.tenants.tenants import NewTenant, Tenant, TenantPage, Tenants

__all__ = ["NewTenant", "Tenant", "TenantPage", "Tenants"]
